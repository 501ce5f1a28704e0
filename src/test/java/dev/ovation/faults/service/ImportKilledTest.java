package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.NOTES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** An instance dies right after it moved a piece: committed, and Redis was not told. */
class ImportKilledTest {

    private static final int ENTITIES = 37;
    private static final int ROWS = 3_770;

    @TempDir Path folder;

    @Test
    void goesOnWithTheNextStartAndWhatIsHotIsRight() throws Exception {
        try (var doomed = new Doomed(folder, "ovation.transfers.batch=20")) {
            var stage = doomed.stage;
            var service = doomed.service;
            for (int i = 0; i < ENTITIES; i++) {
                var answer = service.add(NOTES, "entity-" + i, "ann", "👍");
                assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            }
            stage.awaitDrained();
            doomed.arm();
            String id =
                    Imports.id(
                            Imports.sendTo(service.port(), "kind=reactions", Imports.CSV, file()));
            doomed.awaitEnd();
            assertThat(stage.rows("select state from job")).containsExactly("running");
            assertThat(stage.rows("select 1 from user_reaction where user_id <> 'ann'"))
                    .as("one piece is moved")
                    .hasSizeBetween(1, 20);

            doomed.startAgain();

            var job = Imports.done(service.port(), id);
            assertThat(job.at("/report/applied").intValue()).isEqualTo(ROWS);
            assertThat(job.at("/report/unchanged").intValue()).isZero();
            assertThat(stage.rows("select 1 from user_reaction where user_id <> 'ann'"))
                    .hasSize(ROWS);
            stage.assertSound();
            var answer =
                    Instance.sendTo(
                            service.port(),
                            "GET",
                            "/reactions?namespace_id=%s&entity_id=entity-0&user_id=ann"
                                    .formatted(NOTES),
                            null);
            assertThat(Stage.counts(answer))
                    .containsEntry("👍", stage.count(NOTES, "entity-0", "👍"));
        }
    }

    private static String file() {
        var file = new StringBuilder(Imports.HEADER);
        for (int i = 0; i < ROWS; i++) {
            file.append("%s,entity-%d,user-%d,👍,%d\n".formatted(NOTES, i % ENTITIES, i, i));
        }
        return file.toString();
    }
}
