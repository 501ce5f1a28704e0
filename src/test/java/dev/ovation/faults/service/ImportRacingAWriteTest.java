package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/** A write is proposed on a state that an import then replaces, and is judged late. */
@Beside
class ImportRacingAWriteTest {

    private static final String ENTITY = "raced";

    /** Delay of the write's judgement, unless the import ends before. */
    private static final Duration LATE = Duration.ofSeconds(1);

    private static Stage stage;
    private static Instance one;
    private static Instance other;

    /** Instances whose sessions wait for rows while the test locks them. */
    @BeforeAll
    static void start() {
        stage = Stage.open();
        one = stage.start(Patience.LONG);
        other = stage.start(Patience.LONG);
    }

    @AfterAll
    static void stop() {
        stage.close();
    }

    @AfterEach
    void allIsSound() {
        stage.release();
        stage.assertSound();
    }

    @Test
    @Tag("one-postgres")
    void anImportIsDoneOnlyOnceEachInstanceShowsIt() throws Exception {
        assertThat(one.add(POSTS, ENTITY, "ann", "👍").status()).isEqualTo(200);
        stage.awaitDrained();
        var row = stage.hold("select 1 from entity where entity = 'raced' for update");
        String file = Imports.HEADER + POSTS + "," + ENTITY + ",ben,🔥,1000\n";
        String id = Imports.id(Imports.send(one, "kind=reactions", Imports.CSV, file));
        stage.awaitBlockedBy(row); // the import has locked its partition, and not the row
        var write = Stage.meanwhile(() -> other.add(POSTS, ENTITY, "cat", "👎"));
        stage.awaitProposed(POSTS, ENTITY, 2);
        var partition = Stage.meanwhile(() -> stage.hold(partitionOfTheEntity()));
        stage.awaitWaiting(partitionOfTheEntity()); // it is next, and delays the relays
        row.release();
        try (var _ = partition.get()) {
            long end = System.nanoTime() + LATE.toNanos();
            while (System.nanoTime() < end && !isDone(id)) {
                Thread.sleep(5);
            }
            if (isDone(id)) {
                assertShown();
            }
        }
        Imports.done(one, id);
        assertShown();
        assertThat(write.get().status()).isEqualTo(200);
    }

    private static String partitionOfTheEntity() {
        return "select 1 from partition where p = %d for update"
                .formatted(Stage.partition(POSTS, ENTITY));
    }

    private static boolean isDone(String id) {
        return Imports.job(other.port(), id).has("finished_at");
    }

    private static void assertShown() {
        for (var instance : List.of(one, other)) {
            assertThat(Stage.own(instance.read(POSTS, ENTITY, "ben"))).containsExactly("🔥");
        }
    }
}
