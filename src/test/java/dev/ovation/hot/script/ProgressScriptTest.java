package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.P;
import static dev.ovation.hot.script.HotFixture.committed;
import static dev.ovation.hot.script.HotFixture.untouched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.hot.script.ProgressScript.Progress;
import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.RedisCommandExecutionException;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

class ProgressScriptTest {

    private final ProgressScript script = new ProgressScript();
    private final HotFixture hot = new HotFixture();

    @Test
    void countsProposedAndAcknowledgedEvents() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.add(BEN, LIKE).accepted();
        hot.ack(1, committed("op1", 1));

        assertThat(progress(P)).containsExactly(new Progress(P, "1", 2, 1));
    }

    @Test
    void readsSeveralPartitionsInTheirOrderAlsoThoseWithoutData() {
        int other = P + 1;
        int none = P + 2;
        hot.redis.hset(RedisSchema.meta(other), "epoch", "7");

        assertThat(progress(none, P, other))
                .containsExactly(
                        new Progress(none, "", 0, 0),
                        new Progress(P, "1", 0, 0),
                        new Progress(other, "7", 0, 0));
    }

    @Test
    void readsMorePartitionsThanOneRunReads() {
        var partitions = IntStream.range(0, 150).boxed().toList();
        for (int p : List.of(0, 63, 64, 149)) {
            hot.redis.hset(RedisSchema.meta(p), Map.of("epoch", "7", "seq", "" + p));
        }

        var found = progress(partitions.toArray(Integer[]::new));

        assertThat(found).extracting(Progress::p).isEqualTo(partitions);
        assertThat(found)
                .filteredOn(one -> one.epoch().equals("7"))
                .extracting(Progress::proposed)
                .containsExactly(0L, 63L, 64L, 149L);
    }

    @Test
    void failsWhenAKeyHasAnotherType() {
        hot.redis.set(RedisSchema.meta(P + 1), "text");

        assertThatThrownBy(() -> progress(P, P + 1))
                .hasRootCauseInstanceOf(RedisCommandExecutionException.class)
                .hasMessageContaining("WRONGTYPE");
    }

    private List<Progress> progress(Integer... partitions) {
        return script.execute(hot.async, List.of(partitions)).join();
    }
}
