package dev.ovation.transfer.merge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.outbox.PartitionTransactions.Changed;
import dev.ovation.store.log.ChangeLog;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.report.Seed;
import dev.ovation.transfer.staging.StagingTable.Piece;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** The merge for a Citus stores what the merge for an undivided Postgres stores. */
@Tag("one-postgres")
class DividedMergeTest {

    private static final int P = 3;
    private static final int STEPS = 40;
    private static final int ROWS = 12;
    private static final int LEAP = 10;

    private static final List<String> TABLES =
            List.of(
                    """
                    select entity, version, last_op, last_at, people from entity order by 1
                    """,
                    """
                    select e.entity, c.reaction, c.count, c.first_at, c.last_at
                    from   counter c join entity e on (e.p, e.no) = (c.p, c.entity_no) order by 1, 2
                    """,
                    """
                    select e.entity, r.reaction, r.user_id, r.reacted_at, r.form
                    from   user_reaction r join entity e on (e.p, e.no) = (r.p, r.entity_no)
                    order  by 1, 2, 3
                    """,
                    """
                    select e.entity, r.reaction, r.user_id, r.removed_at
                    from   removal r join entity e on (e.p, e.no) = (r.p, r.entity_no)
                    order  by 1, 2, 3
                    """,
                    """
                    select distinct e.entity
                    from   changed_entity c join entity e on (e.p, e.no) = (c.p, c.entity_no)
                    order  by 1
                    """);

    private final Random random = new Random(Seed.from("merge.seed", 1));
    private final Side undivided = new Side(Shards.undivided());
    private final Side divided = new Side(Shards.of(7, 8, 7, 8));

    /** A database, and the merge of its kind. */
    private static final class Side {
        final JdbcTemplate sql = new JdbcTemplate(TestPostgres.database());
        private final Shards shards;
        private final ReactionMerge merge;

        Side(Shards shards) {
            this.shards = shards;
            merge = new ReactionMerge(sql, null, new ChangeLog(sql), shards);
            sql.update("insert into reaction_name (no, name) values (1, 'a'), (2, 'b'), (3, 'c')");
        }

        MergeResult merge(Piece piece, String op) {
            return shards.within(List.of(1, P), () -> merge.merge(1, piece, op, LEAP));
        }

        List<List<String>> rows() {
            return TABLES.stream().map(table -> TestPostgres.rows(sql, table)).toList();
        }
    }

    @Test
    void bothStoreTheSame() {
        for (int step = 0; step < STEPS; step++) {
            stage(step);
            var piece = new Piece(P, (long) step * ROWS, (step + 1L) * ROWS, ROWS);
            MergeResult expected = undivided.merge(piece, "op" + step);
            MergeResult found = divided.merge(piece, "op" + step);

            assertThat(found.applied()).isEqualTo(expected.applied());
            assertThat(found.outdated()).isEqualTo(expected.outdated());
            assertThat(changed(found)).isEqualTo(changed(expected));
            assertThat(divided.rows()).isEqualTo(undivided.rows());
        }
        assertThat(undivided.rows()).noneMatch(List::isEmpty);
    }

    private static Set<Changed> changed(MergeResult result) {
        return result.changed().stream().collect(Collectors.toSet());
    }

    /** Few entities, users and times, so that rows meet. */
    private void stage(int step) {
        for (int i = 1; i <= ROWS; i++) {
            Object[] row = {
                1,
                P,
                (long) step * ROWS + i,
                "posts",
                "post" + random.nextInt(4),
                "user" + random.nextInt(5),
                List.of("a", "b", "c").get(random.nextInt(3)),
                (long) random.nextInt(20),
                random.nextInt(3) == 0,
                random.nextBoolean() ? "form" : null
            };
            for (Side side : List.of(undivided, divided)) {
                side.sql.update(
                        """
                        insert into import_row (job_id, p, n, namespace, entity, user_id, value, at,
                                                removes, form)
                        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                        row);
            }
        }
    }
}
