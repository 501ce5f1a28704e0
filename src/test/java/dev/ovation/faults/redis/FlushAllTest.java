package dev.ovation.faults.redis;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A client flushes Redis. */
@Beside
@ExtendWith(Line.class)
class FlushAllTest {

    /** Proposals that waited for the relay are lost, so each of these requests runs again. */
    @Test
    void flushAllUnderLoad() {
        var stage = Line.stage();
        try (var load = Load.on("flushed", Line.service())) {
            for (int flushes = 0; flushes < 3; flushes++) {
                load.awaitDone(53);
                try (var _ = stage.holdRelays()) {
                    Wait.until("changes are not acknowledged yet", () -> stage.unapplied() > 3);
                    stage.redis().flushall();
                }
            }
            load.awaitDone(53);
            load.assertExplained(stage);
        }
    }

    @Test
    void flushAllTwiceWithALostReplyToTheOpeningOfAnEpochBetween() {
        var redis = Line.stage().redis();
        Line.service().add(POSTS, "flushed twice", "ann", "👍");
        Line.stage().awaitDrained();
        int p = Stage.partition(POSTS, "flushed twice");
        List<String> openings;
        record(true);
        try {
            Line.proxy().loseReply(opening(p));

            redis.flushall();
            Wait.until(
                    "an epoch is open, and its opener got no reply",
                    () -> Line.proxy().hasLost() && redis.exists(RedisSchema.meta(p)) == 1);
            redis.flushall();
            Line.stage().awaitDrained();

            openings = openings();
        } finally {
            record(false);
        }
        assertThat(openings).hasSizeGreaterThan(64).doesNotHaveDuplicates();
        assertThat(Line.service().add(POSTS, "flushed twice", "ben", "👍").status()).isEqualTo(200);
        assertThat(Stage.counts(Line.service().read(POSTS, "flushed twice", null)))
                .isEqualTo(Map.of("👍", 2L));
    }

    /** Prefix of a command that opens an epoch of a partition, after the script: two keys. */
    private static String opening(int p) {
        String meta = RedisSchema.meta(p);
        String outbox = RedisSchema.outbox(p);
        return "$1\r\n2\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n"
                .formatted(meta.length(), meta, outbox.length(), outbox);
    }

    /**
     * Partition and epoch of each opening since the recording began; only an opening has three
     * arguments.
     */
    private static List<String> openings() {
        var openings = new ArrayList<String>();
        for (Object entry : Line.stage().redis().slowlogGet(100_000)) {
            var command = (List<?>) ((List<?>) entry).get(3);
            if (command.getFirst().equals("EVALSHA")
                    && command.size() == 8
                    && command.get(2).equals("2")) {
                openings.add(command.get(3) + " " + command.get(5));
            }
        }
        return openings;
    }

    /** Makes Redis record all commands, or only slow ones. */
    private static void record(boolean all) {
        var redis = Line.stage().redis();
        redis.configSet("slowlog-max-len", all ? "100000" : "128");
        redis.configSet("slowlog-log-slower-than", all ? "0" : "10000");
        redis.slowlogReset();
    }
}
