package dev.ovation.store.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The place of each table on a Citus. A migration that adds a table names it in {@code
 * afterMigrate.sql}, or in {@link #LOCAL}.
 */
@Tag("one-postgres")
class DividedTablesTest {

    /** Tables on the coordinator alone. */
    private static final List<String> LOCAL =
            List.of(
                    "deployment",
                    "ban_version",
                    "change_log_state",
                    "webhook",
                    "dead_letter",
                    "configuration",
                    "reaction_spelling",
                    "audit_walk",
                    "ranking",
                    "ranking_state",
                    "ranking_waiting",
                    "ranking_list",
                    "ranking_refill",
                    "job",
                    "background",
                    "replica_beat",
                    "flyway_schema_history");

    private static final Path SCRIPT = Path.of("db/migration/afterMigrate.sql");
    private static final Pattern LIST = Pattern.compile("foreach name in array array\\[([^]]+)]");

    @Test
    void eachTableIsInOneList() throws IOException {
        List<List<String>> lists =
                LIST.matcher(Files.readString(SCRIPT))
                        .results()
                        .map(list -> List.of(list.group(1).strip().split("[',\\s]+")))
                        .toList();
        var placed = new ArrayList<>(LOCAL);
        lists.subList(0, 2).forEach(placed::addAll); // the third list is of functions
        placed.removeIf(String::isEmpty);
        List<String> tables =
                new JdbcTemplate(TestPostgres.database())
                        .queryForList(
                                """
                                select relname from pg_class
                                where  relkind in ('r', 'p') and not relispartition
                                and    relnamespace = current_schema()::regnamespace
                                """,
                                String.class);

        assertThat(placed).containsExactlyInAnyOrderElementsOf(tables);
    }

    /** A table and a function of this name stand for the extension. */
    @Test
    void aRoleThatIsNoOwnerIsRefused() {
        var session =
                new SingleConnectionDataSource(TestPostgres.url(), "postgres", "postgres", true);
        try {
            var jdbc = new JdbcTemplate(session);
            jdbc.execute(
                    """
                    create table pg_dist_partition as select 'partition'::regclass as logicalrelid;
                    create function get_shard_id_for_distribution_column(text, int) returns bigint
                    language sql as 'select 7::bigint';
                    """);
            var shards = new Shards(jdbc);
            shards.read(2);
            assertThat(shards.all()).containsExactly(List.of(0, 1));

            jdbc.execute("grant select on all tables in schema public to pg_monitor");
            jdbc.execute("set role pg_monitor");
            assertThatThrownBy(() -> new Shards(jdbc).read(2))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("must own the tables");
        } finally {
            session.destroy();
        }
    }
}
