package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.CONFIG;
import static dev.ovation.hot.script.HotFixture.DISLIKE;
import static dev.ovation.hot.script.HotFixture.HEART;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.P;
import static dev.ovation.hot.script.HotFixture.SETTINGS;
import static dev.ovation.hot.script.HotFixture.committed;
import static dev.ovation.hot.script.HotFixture.counts;
import static dev.ovation.hot.script.HotFixture.partial;
import static dev.ovation.hot.script.HotFixture.untouched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.hot.script.ReactScript.Reply.Accepted;
import dev.ovation.hot.script.ReactScript.Reply.Fenced;
import dev.ovation.hot.script.ReactScript.Reply.Full;
import dev.ovation.hot.script.ReactScript.Reply.Miss;
import dev.ovation.hot.script.ReactScript.Reply.Refused;
import dev.ovation.hot.script.ReactScript.Reply.StaleConfig;
import dev.ovation.hot.script.ReactScript.Reply.UserMiss;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Conditions before a change is judged: the fence, the rules in force, and room for its event. */
class ReactScriptAdmissionTest {

    private final HotFixture hot = new HotFixture();

    @Nested
    class TheFence {

        @BeforeEach
        void anEntity() {
            hot.load(untouched());
        }

        @Test
        void refusesAnotherEpochAndAnotherServer() {
            var before = hot.everything();

            assertThat(hot.add(ANN, LIKE).reply(new Fence(2, hot.incarnation())))
                    .isEqualTo(new Fenced());
            assertThat(hot.add(ANN, LIKE).reply(new Fence(0, hot.incarnation())))
                    .isEqualTo(new Fenced());
            assertThat(hot.add(ANN, LIKE).reply(new Fence(1, "another"))).isEqualTo(new Fenced());
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void refusesWhereNoEpochIsOpen() {
            hot.redis.flushall();

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Fenced());
            assertThat(hot.everything()).isEqualTo(Map.of());
        }

        @Test
        void refusesOnAReplica() {
            hot.demote();

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Fenced());
        }

        @Test
        void refusesAfterAPromotion() {
            hot.demote();
            hot.redis.replicaofNoOne();
            var before = hot.everything();

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Fenced());
            assertThat(hot.everything()).isEqualTo(before);
        }
    }

    @Nested
    class TheConfiguration {

        @BeforeEach
        void anEntity() {
            hot.load(untouched());
        }

        @Test
        void whenNewerIsStored() {
            hot.add(ANN, LIKE).under(9).accepted();
            assertThat(hot.meta("config")).isEqualTo("9");

            hot.add(BEN, LIKE).under(10).accepted();
            assertThat(hot.meta("config")).isEqualTo("10");
            assertThat(hot.events()).extracting(Event::configVersion).containsExactly(9L, 10L);
        }

        @Test
        void whenOlderRefuses() {
            hot.add(ANN, LIKE).under(10).accepted();
            var before = hot.everything();

            assertThat(hot.add(BEN, LIKE).under(9).reply()).isEqualTo(new StaleConfig());
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void whenTheSameIsFine() {
            hot.add(ANN, LIKE).under(10).accepted();

            assertThat(hot.add(BEN, LIKE).under(10).accepted().changed()).isTrue();
        }
    }

    @Nested
    class Room {

        @BeforeEach
        void anEntity() {
            hot.load(untouched());
        }

        @Test
        void endsAtTheOutboxCap() {
            hot.add(ANN, LIKE).op("op").accepted();
            hot.ack(1, committed("op", 1));
            for (int i = 0; i < SETTINGS.outboxCap(); i++) {
                (i % 2 == 0 ? hot.remove(ANN, LIKE) : hot.add(ANN, LIKE)).accepted();
            }
            var before = hot.everything();

            assertThat(hot.add(BEN, LIKE).reply()).isEqualTo(new Full());
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void isThereAgainAfterTheCommit() {
            while (hot.remove(ANN, LIKE).keyed("key", "request").reply() instanceof Accepted) {
                assertThat(hot.outbox()).hasSizeLessThanOrEqualTo(SETTINGS.outboxCap() + 1);
            }
            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Full());
            hot.ack(2);

            assertThat(hot.add(ANN, LIKE).reply()).isInstanceOf(Accepted.class);
        }

        @Test
        void endsAtMaxmemoryAndNothingChanges() {
            hot.add(ANN, DISLIKE).accepted();
            var before = hot.everything();
            hot.fill();

            for (Wish wish :
                    List.of(
                            hot.add(BEN, LIKE).under(CONFIG + 1),
                            hot.remove(ANN, DISLIKE),
                            hot.put(ANN, LIKE, HEART),
                            hot.put(ANN),
                            hot.add(ANN, LIKE).excludedBy(DISLIKE).force(),
                            hot.add(BEN, LIKE).keyed("key", "request"),
                            hot.remove(BEN, LIKE).keyed("key", "request"))) {
                assertThatThrownBy(wish::reply)
                        .hasRootCauseMessage(
                                "OOM command not allowed when used memory > 'maxmemory'.");
            }
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void endsUnderPressureOfDirtyEntitiesWhichAreNeverEvicted() {
            hot.add(ANN, LIKE).accepted();
            var before = hot.everything();
            hot.squeeze();

            assertThatThrownBy(() -> hot.add(BEN, LIKE).reply())
                    .hasRootCauseMessage("OOM command not allowed when used memory > 'maxmemory'.");
            assertThat(hot.everything()).isEqualTo(before);
        }

        @Test
        void aNoOpOrRefusalIsAnsweredAtMaxmemory() {
            hot.add(ANN, LIKE).accepted();
            hot.fill();

            assertThat(hot.remove(BEN, LIKE).accepted().changed()).isFalse();
            assertThat(hot.add(ANN, LIKE).reply()).isInstanceOf(Refused.class);
        }

        @Test
        void aMissAtMaxmemoryHasNoLeaseHolder() {
            hot.redis.del(counts());
            hot.fill();

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new Miss(""));
        }

        @Test
        void aUserMissAtMaxmemoryHasNoLeaseHolder() {
            hot.redis.del(counts());
            hot.load(partial(List.of(), Map.of()));
            hot.fill();

            assertThat(hot.add(ANN, LIKE).reply()).isEqualTo(new UserMiss(""));
        }

        @Test
        void anEventThatTheOutboxRefusesChangesNothing() {
            hot.add(ANN, LIKE).accepted();
            hot.redis.hset(RedisSchema.meta(P), "seq", "0");
            var before = hot.everything();

            assertThatThrownBy(() -> hot.add(BEN, LIKE).reply())
                    .rootCause()
                    .hasMessageStartingWith("ERR The ID specified in XADD is equal or smaller");
            assertThat(hot.everything()).isEqualTo(before);
        }
    }
}
