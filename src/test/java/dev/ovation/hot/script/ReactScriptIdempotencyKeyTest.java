package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.DISLIKE;
import static dev.ovation.hot.script.HotFixture.HEART;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.P;
import static dev.ovation.hot.script.HotFixture.POST;
import static dev.ovation.hot.script.HotFixture.SETTINGS;
import static dev.ovation.hot.script.HotFixture.complete;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;
import dev.ovation.hot.script.ReactScript.Reply.Accepted;
import dev.ovation.hot.script.ReactScript.Reply.InFlight;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.RedisSchema;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Changes with an idempotency key. */
class ReactScriptIdempotencyKeyTest {

    private final HotFixture hot = new HotFixture();

    @BeforeEach
    void anEntity() {
        hot.load(
                complete(
                        List.of(new Counter(DISLIKE, 1, 10, 10), new Counter(HEART, 4, 1, 900)),
                        Map.of(ANN, List.of(DISLIKE, HEART))));
    }

    @Test
    void travelsInTheEventWithTheStateAfterTheChange() {
        Accepted reply =
                hot.add(ANN, LIKE)
                        .excludedBy(DISLIKE)
                        .force()
                        .keyed(HotFixture.ODD, "request")
                        .withState()
                        .accepted();

        Event.Keyed keyed = hot.events().getFirst().keyed();
        assertThat(keyed.key()).isEqualTo(HotFixture.ODD);
        assertThat(keyed.requestHash()).isEqualTo("hash of " + HotFixture.ODD);
        assertThat(keyed.own()).containsExactly(HEART, LIKE);
        assertThat(keyed.locked()).isFalse();
        assertThat(keyed.counters())
                .containsExactlyInAnyOrder(
                        new Counter(HEART, 4, 1, 900), new Counter(LIKE, 1, 5000, 5000))
                .containsExactlyInAnyOrderElementsOf(reply.counters());
    }

    @Test
    void holdsTheCounterThatChangedOnce() {
        hot.add(BEN, HEART).keyed("key", "request").accepted();

        assertThat(hot.events().getFirst().keyed().counters())
                .containsExactlyInAnyOrder(
                        new Counter(HEART, 5, 1, 5000), new Counter(DISLIKE, 1, 10, 10));
    }

    @Test
    void aKeyedRemovalThatChangesNothingIsAnEvent() {
        Accepted reply =
                hot.remove(ANN, LIKE).op("no-op").keyed("key", "request").withState().accepted();

        assertThat(reply)
                .extracting(Accepted::changed, Accepted::seq, Accepted::version)
                .containsExactly(false, 1L, 10L);
        Event event = hot.events().getFirst();
        assertThat(event)
                .extracting(Event::op, Event::baseOp, Event::baseVersion, Event::version)
                .containsExactly("no-op", "before", 10L, 10L);
        assertThat(event.added()).isEmpty();
        assertThat(event.removed()).isEmpty();
        assertThat(event.touched()).isEmpty();
        assertThat(event.keyed().own()).containsExactly(DISLIKE, HEART);
        assertThat(event.keyed().counters()).containsExactlyInAnyOrderElementsOf(reply.counters());
    }

    @Test
    void aKeyedAdditionOfAnExistingReactionIsAnEvent() {
        Accepted reply = hot.add(ANN, HEART).existingIsFine().keyed("key", "request").accepted();

        assertThat(reply.changed()).isFalse();
        assertThat(reply.seq()).isEqualTo(1);
        assertThat(reply.own()).containsExactly(DISLIKE, HEART);
        assertThat(hot.hit(ANN).counters())
                .containsExactlyInAnyOrder(
                        new Counter(DISLIKE, 1, 10, 10), new Counter(HEART, 4, 1, 900));
    }

    @Test
    void makesEventsOnWhichTheNextOnesBuild() {
        hot.remove(ANN, LIKE).op("no-op").keyed("key", "request").accepted();
        hot.add(ANN, LIKE).accepted();

        Event next = hot.events().getLast();
        assertThat(next)
                .extracting(Event::baseOp, Event::baseVersion, Event::version)
                .containsExactly("no-op", 10L, 11L);
        assertThat(next.keyed()).isNull();
    }

    @Test
    void thatIsUnderWayStopsAnotherRequest() {
        hot.add(ANN, LIKE).keyed("key", "first").accepted();
        var before = hot.everything();

        assertThat(hot.add(ANN, "1").keyed("key", "second").reply()).isEqualTo(new InFlight());
        assertThat(hot.remove(ANN, LIKE).keyed("key", "second").reply()).isEqualTo(new InFlight());
        assertThat(hot.everything()).isEqualTo(before);
    }

    @Test
    void thatIsUnderWayLetsTheSameRequestTryAgain() {
        hot.add(ANN, LIKE).keyed("key", "first").accepted();

        assertThat(hot.add(ANN, "1").keyed("key", "first").accepted().changed()).isTrue();
    }

    @Test
    void isUnderWayForAWhile() {
        hot.add(ANN, LIKE).keyed("key", "first").accepted();

        assertThat(hot.redis.pttl(RedisSchema.inHand(P, POST.namespace(), ANN, "key")))
                .isBetween(1L, SETTINGS.inFlightTtl().toMillis());
    }

    @Test
    void belongsToOneUser() {
        hot.add(ANN, LIKE).keyed("key", "first").accepted();

        assertThat(hot.add(BEN, LIKE).keyed("key", "second").accepted().changed()).isTrue();
    }

    @Test
    void isFreeAfterARefusal() {
        hot.add(ANN, HEART).keyed("key", "first").reply();

        assertThat(hot.add(ANN, LIKE).keyed("key", "second").accepted().changed()).isTrue();
    }
}
