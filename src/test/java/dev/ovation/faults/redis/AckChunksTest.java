package dev.ovation.faults.redis;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance.Answer;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** More events than one acknowledgement holds. */
@Beside
@ExtendWith(Line.class)
class AckChunksTest {

    private static final int FIRST_CHUNK = 211;
    private static final int SECOND_CHUNK = 23;
    private static final int WAVE = 16;

    /** Only the second chunk names this entity, which identifies the chunk on the line. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theConnectionIsLostBetweenTwoChunksOfOneAck(boolean requestArrives) {
        String early = "early-" + requestArrives;
        String late = Stage.neighbour(POSTS, early);
        CompletableFuture<?>[] writes;
        try (var _ = Line.stage().holdRelays()) {
            var first = write(early, FIRST_CHUNK);
            var second = write(late, SECOND_CHUNK);
            writes = Stream.concat(first, second).toArray(CompletableFuture[]::new);
            String key = RedisSchema.name(Stage.key(POSTS, late));
            if (requestArrives) {
                Line.proxy().loseReply(key);
            } else {
                Line.proxy().loseRequest(key);
            }
            // A cycle that began before may have read the events of one entity alone.
            Stage.awaitCycle(Line.service());
        }
        CompletableFuture.allOf(writes).join();
        Line.stage().awaitDrained();
        assertThat(Line.proxy().hasLost()).isTrue();
        assertThat(writes).extracting(write -> ((Answer) write.join()).status()).containsOnly(200);
        assertThat(Line.stage().count(POSTS, early, "👍")).isEqualTo(FIRST_CHUNK);
        assertThat(Line.stage().count(POSTS, late, "👍")).isEqualTo(SECOND_CHUNK);
        Line.stage().assertSound(); // every key is clean, also those of the lost chunk
    }

    /** Limits the concurrent writes, so that no write times out on a slow machine. */
    private static Stream<CompletableFuture<Answer>> write(String entity, int users) {
        var writes = new ArrayList<CompletableFuture<Answer>>();
        while (writes.size() < users) {
            String user = "user-" + writes.size();
            writes.add(Stage.meanwhile(() -> Line.service().add(POSTS, entity, user, "👍")));
            if (writes.size() % WAVE == 0 || writes.size() == users) {
                Line.stage().awaitProposed(POSTS, entity, writes.size());
            }
        }
        return writes.stream();
    }
}
