package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.NOTES;
import static dev.ovation.faults.Stage.partition;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Comparator.comparingInt;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Imports;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** An instance dies after it committed a merge, before it notifies Redis. */
@Beside
class ImportKilledTest {

    private static final int ENTITIES = 37;
    private static final int ROWS = 3_770;

    /**
     * Entity in the first partition and in the first merge only, so that no later merge notifies
     * Redis.
     */
    private static final String ONCE = Stage.neighbour(NOTES, first());

    @TempDir Path folder;

    @Test
    void anImportContinuesAfterARestartWithConsistentHotState() throws Exception {
        try (var doomed = new Doomed(folder, "ovation.internal.transfers.batch=20")) {
            var stage = doomed.stage;
            var service = doomed.service;
            for (String entity : Stream.concat(Stream.of(ONCE), entities()).toList()) {
                var answer = service.add(NOTES, entity, "ann", "👍");
                assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            }
            stage.awaitDrained();
            doomed.arm();
            String id =
                    Imports.id(
                            Imports.sendTo(service.port(), "kind=reactions", Imports.CSV, file()));
            doomed.awaitEnd();
            assertThat(stage.rows("select state from job")).containsExactly("running");
            assertThat(stage.rows("select 1 from named_reaction where user_id <> 'ann'"))
                    .as("one piece is moved")
                    .hasSizeBetween(1, 20);
            assertThat(stage.count(NOTES, ONCE, "👍")).as("of that piece").isEqualTo(2);

            var next = doomed.startAgain();

            var job = Imports.done(next.port(), id);
            assertThat(job.at("/report/applied").intValue()).isEqualTo(ROWS);
            assertThat(job.at("/report/unchanged").intValue()).isZero();
            assertThat(stage.rows("select 1 from named_reaction where user_id <> 'ann'"))
                    .hasSize(ROWS);
            stage.assertSound();
            assertThat(Stage.counts(next.read(NOTES, ONCE, "ann"))).containsEntry("👍", 2L);
        }
    }

    private static Stream<String> entities() {
        return IntStream.range(0, ENTITIES).mapToObj(i -> "entity-" + i);
    }

    private static String first() {
        return entities().min(comparingInt(entity -> partition(NOTES, entity))).orElseThrow();
    }

    private static String file() {
        var file = new StringBuilder(Imports.HEADER);
        file.append("%s,%s,user-0,👍,0\n".formatted(NOTES, ONCE));
        for (int i = 1; i < ROWS; i++) {
            file.append("%s,entity-%d,user-%d,👍,%d\n".formatted(NOTES, i % ENTITIES, i, i));
        }
        return file.toString();
    }
}
