package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.Wait;
import dev.ovation.testing.report.Seed;

import io.lettuce.core.ScriptOutputType;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Audits during concurrent writes of many users, through both instances, to the same few entities.
 */
@Beside
class AuditUnderLoadTest {

    private static final long SEED = Seed.from("seed", 377);
    private static final List<String> ENTITIES = List.of("1", "2", "a:b {3} 👩‍💻");
    private static final List<String> BROKEN = List.of("4", "5", "a:b {6} 👩‍💻");
    private static final String ALL = "sample=1000";
    private static final int USERS = 37;

    /** Raises all counts of an entity, like a user of redis-cli; no count is zero. */
    private static final String RAISE =
            """
            local fields = redis.call('HGETALL', KEYS[1])
            for i = 1, #fields, 2 do
              if string.sub(fields[i], 1, 2) == 'r:' then
                redis.call('HSET', KEYS[1], fields[i], '7' .. fields[i + 1])
              end
            end
            return 1
            """;

    private static Stage stage;
    private static List<Instance> instances;

    @BeforeAll
    static void open() {
        stage = Stage.open();
        String[] busy = Patience.longWith("ovation.audit.rate=100");
        instances = List.of(stage.start(busy), stage.start(busy));
    }

    @AfterAll
    static void close() {
        stage.close();
    }

    @Test
    void nothingSoundIsTakenForDriftAndDriftIsRepairedExactly() throws Exception {
        var users = new ArrayList<Crowd.User>();

        var compared = new AtomicInteger();
        var auditing = new AtomicBoolean(true);
        var peace =
                Stage.meanwhile(
                        () ->
                                new Crowd(SEED, instances, ENTITIES)
                                        .run(USERS, 31, n -> awaitAudit(n, compared, auditing)));
        try {
            findNothingWhile(peace, compared);
        } finally {
            auditing.set(false);
        }
        users.addAll(peace.get());
        stage.assertSound();

        stage.sql.update("delete from idempotency"); // the same users use the same keys again
        var trouble = Stage.meanwhile(() -> new Crowd(SEED, instances, BROKEN).run(USERS, 131));
        breakAndRepairWhile(trouble);
        users.addAll(trouble.get());
        while (isDrift(auditEverywhere(ALL + "&repair=true"))) {
            stage.awaitDrained();
        }
        stage.assertSound();
        Crowd.assertStored(stage, users);
    }

    /** Each user pauses in the middle until an audit compared some entities. */
    private static void awaitAudit(int n, AtomicInteger compared, AtomicBoolean auditing) {
        if (n == 15) {
            Wait.until(
                    "an entity was compared",
                    Duration.ofMinutes(3), // until all users have reached this action
                    () -> compared.get() > 0 || !auditing.get());
        }
    }

    private static void findNothingWhile(CompletableFuture<?> load, AtomicInteger compared) {
        boolean over;
        do {
            over = load.isDone();
            if (over) {
                stage.awaitDrained(); // so that the last audits skip no entity
            }
            for (JsonNode report : auditEverywhere(ALL)) {
                assertThat(report.at("/drift")).as(report.toString()).isEmpty();
                compared.addAndGet(report.at("/checked").asInt() - report.at("/skipped").asInt());
            }
        } while (!over);
        assertThat(compared).hasPositiveValue();
        for (Instance instance : instances) {
            assertThat(stage.metric(instance, "ovation_audit_drift_total", "redis")).isZero();
            assertThat(stage.metric(instance, "ovation_audit_drift_total", "postgres")).isZero();
            assertThat(stage.metric(instance, "ovation_audit_checked_total", "")).isPositive();
        }
    }

    /**
     * Between two repairs at least as many changes are committed as there are users. A repair
     * rejects the proposals on the previous state, and a write is refused after four rejections.
     */
    private static void breakAndRepairWhile(CompletableFuture<?> load) {
        int repaired = 0;
        do {
            long before = stage.changes();
            String entity = BROKEN.get(repaired % BROKEN.size());
            miscount(entity);
            String counts =
                    RedisSchema.counts(
                            Stage.partition(Stage.POSTS, entity), Stage.key(Stage.POSTS, entity));
            stage.redis().eval(RAISE, ScriptOutputType.INTEGER, counts);
            for (JsonNode report : auditEverywhere(ALL + "&repair=true")) {
                repaired += report.at("/drift").size();
            }
            Wait.until(
                    "as many changes are committed as there are users",
                    Duration.ofMinutes(2),
                    () -> load.isDone() || stage.changes() >= before + USERS);
        } while (!load.isDone() || repaired == 0);
    }

    /** Holds the rows of the partitions, so that no relay locks the same rows in another order. */
    private static void miscount(String entity) {
        String rows =
                "select 1 from partition where p in (%d, %d) for update"
                        .formatted(
                                Stage.partition(Stage.POSTS, entity),
                                Stage.partition(Stage.NOTES, entity));
        try (var _ = stage.hold(rows)) {
            stage.sql.update("update named_counter set count = count + 1 where entity = ?", entity);
        }
    }

    private static boolean isDrift(List<JsonNode> reports) {
        return reports.stream().anyMatch(report -> !report.at("/drift").isEmpty());
    }

    private static List<JsonNode> auditEverywhere(String query) {
        return instances.stream().map(instance -> new Audits(instance).audit(query)).toList();
    }
}
