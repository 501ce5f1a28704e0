package dev.ovation.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.view.EntityView;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

class WatcherTest {

    private static final EntityKey POST = new EntityKey("posts", "42");
    private static final EntityKey OTHER = new EntityKey("posts", "43");

    private final AtomicInteger endings = new AtomicInteger();
    private final Watcher watcher = new Watcher("id", null, null, endings::incrementAndGet);

    @BeforeEach
    void watch() {
        assertThat(watcher.watch("posts", Set.of(POST, OTHER))).isTrue();
    }

    private static Frame frame(EntityKey key, int state) {
        return new Frame(
                key,
                "1." + state,
                key.hashCode() * 31L + state,
                ("data: " + state + "\n").getBytes(StandardCharsets.UTF_8),
                new EntityView(key.entity(), "1." + state, List.of(), null, List.of(), 0));
    }

    /** A change costs other protocols one message, and not one for each stream. */
    @Test
    void streamsShareTheMessageOfAState() {
        var state = frame(POST, 1);
        watcher.offer(state);
        var first = (LiveStreams.StreamState) watcher.nextLive();
        var second = new Watcher("other", null, null, () -> {});
        assertThat(second.watch("posts", Set.of(POST))).isTrue();
        second.offer(state);

        assertThat(
                        ((LiveStreams.StreamState) second.nextLive())
                                .shown()
                                .message(Object.class, _ -> 2))
                .isSameAs(first.shown().message(Object.class, _ -> new Object()));
    }

    @Test
    void noStateFollowsTheEnd() {
        watcher.end("bye\n\n", new LiveStreams.StreamEnd("shutdown", 1));
        watcher.offer(frame(POST, 1));

        assertThat(watcher.nextLive()).isInstanceOf(LiveStreams.StreamEnd.class);
        assertThat(watcher.nextLive()).isNull();
    }

    private List<String> sent() {
        var sent = new ArrayList<String>();
        for (byte[] next = watcher.next(); next != null; next = watcher.next()) {
            sent.add(new String(next, StandardCharsets.UTF_8).replaceAll("id: .*\n\n", ""));
        }
        return sent;
    }

    private String lastId() {
        byte[] next = watcher.next();
        return new String(next, StandardCharsets.UTF_8).replaceAll("(?s).*id: |\n\n", "");
    }

    @Test
    void theFirstStateIsASnapshotAndLaterOnesAreChanges() {
        watcher.offer(frame(POST, 1));
        assertThat(sent()).containsExactly("event: snapshot\ndata: 1\n");
        watcher.offer(frame(POST, 2));
        assertThat(sent()).containsExactly("event: change\ndata: 2\n");
    }

    @Test
    void anOlderStateIsNeverSentAfterANewerOne() {
        watcher.offer(frame(POST, 2));
        watcher.offer(frame(POST, 1));
        assertThat(sent()).containsExactly("event: snapshot\ndata: 2\n");
        watcher.offer(frame(POST, 1));
        watcher.offer(frame(POST, 2));
        assertThat(sent()).isEmpty();
    }

    @Test
    void ofManyStatesOfAnEntityTheLastOneWaits() {
        for (int state = 1; state < 1000; state++) {
            watcher.offer(frame(POST, state + 1000));
        }
        watcher.offer(frame(OTHER, 1));
        assertThat(sent())
                .containsExactly("event: snapshot\ndata: 1999\n", "event: snapshot\ndata: 1\n");
    }

    @Test
    void anEntityThatIsNoLongerWatchedIsNotSent() {
        watcher.offer(frame(POST, 1));
        assertThat(watcher.watch("posts", Set.of(OTHER))).isTrue();
        watcher.offer(frame(POST, 2));
        assertThat(sent()).isEmpty();
    }

    @Test
    void theIdDependsOnTheStatesAndNotOnTheirOrder() {
        watcher.offer(frame(POST, 1));
        String one = lastId();
        watcher.offer(frame(OTHER, 1));
        String both = lastId();
        var twin = new Watcher("twin", null, null, () -> {});
        assertThat(twin.watch("posts", Set.of(POST, OTHER))).isTrue();
        twin.offer(frame(OTHER, 1));
        var _ = twin.next();
        twin.offer(frame(POST, 1));
        assertThat(new String(twin.next(), StandardCharsets.UTF_8)).contains("id: " + both);
        assertThat(one).isNotEqualTo(both);
        assertThat(watcher.watch("posts", Set.of(POST))).isTrue();
        watcher.offer(frame(POST, 2));
        String later = lastId();
        assertThat(later).isNotIn(one, both);
    }

    @Test
    void whatTheClientHasIsNotSentAgainUnlessItIsNewer() {
        watcher.offer(frame(POST, 1), true);
        watcher.offer(frame(OTHER, 1), false);
        assertThat(sent()).containsExactly("event: snapshot\ndata: 1\n");
        watcher.offer(frame(POST, 2));
        assertThat(sent()).containsExactly("event: change\ndata: 2\n");
    }

    @Test
    void aNewerStateThatCameBeforeTheClientsOwnIsSent() {
        watcher.offer(frame(POST, 2));
        watcher.offer(frame(POST, 1), true);
        assertThat(sent()).containsExactly("event: snapshot\ndata: 2\n");
    }

    @Test
    void theLastNoticeComesAfterTheStatesThatWait() {
        watcher.offer(frame(POST, 1));
        watcher.end("event: bye\n\n", new LiveStreams.StreamEnd("age", 500));
        watcher.end("event: bye again\n\n", new LiveStreams.StreamEnd("age", 500));
        watcher.keepAlive(0);
        assertThat(watcher.isOver()).isTrue();
        assertThat(sent()).containsExactly("event: snapshot\ndata: 1\n", "event: bye\n\n");
        assertThat(watcher.watch("posts", Set.of())).isFalse();
    }

    @Test
    void itEndsOnce() {
        watcher.ended();
        watcher.ended();
        assertThat(endings).hasValue(1);
    }
}
