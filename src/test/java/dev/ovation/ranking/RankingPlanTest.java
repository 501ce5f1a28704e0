package dev.ovation.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.Test;

import java.util.List;

import javax.sql.DataSource;

/** Plans of the ranking's queries in a ranking of some size. */
@Beside
class RankingPlanTest extends RankingFixture {

    private static final DataSource SOURCE = impatient();

    RankingPlanTest() {
        super(SOURCE, 1, 1);
    }

    @Test
    void aPageIsReadFromTheIndexInItsOrder() {
        many();
        String top =
                Ranking.TOP
                        .replace(":namespace", "'posts'")
                        .replace(":reaction", "'a'")
                        .replace(":count", "10000")
                        .replace(":entity", "''")
                        .replace(":page", "51");

        assertThat(plan(top))
                .anyMatch(line -> line.contains("using ranking_highest") && reads(line, 51));
    }

    /** Otherwise each step would read a large namespace as a whole. */
    @Test
    void entitiesAreMarkedFromTheIndexInItsOrder() {
        many();
        jdbc.execute("insert into ranking_refill values ('posts', 'e5')");

        assertThat(plan(RankingDepth.GO_ON.replace(":step", "100")))
                .anyMatch(line -> line.contains("using entity_by_name") && reads(line, 100));
    }

    @Test
    void entitiesToDropAreFoundByTheIndex() {
        many();

        assertThat(plan(RankingDepth.TRIM.replace(":step", "100").replace(":depth", "5000")))
                .anyMatch(line -> line.contains("using ranking_highest") && reads(line, 19_900))
                .anyMatch(line -> line.contains("on ranking_highest") && reads(line, 100));
        assertThat(rows("select size from ranking_list where namespace = 'posts'"))
                .containsExactly("19900");
    }

    /** Lists and entities of three namespaces. */
    private void many() {
        jdbc.execute(
                """
                insert into ranking select p, 'e' || n, 'a', n
                from generate_series(1, 20000) n, unnest('{older,posts,younger}'::text[]) p
                """);
        jdbc.execute(
                """
                insert into entity (p, no, namespace, entity, version, last_op, last_at)
                select 0, row_number() over (), namespace, entity, 1, 'op', 1 from ranking
                """);
        jdbc.execute("update ranking_list set size = 0 where namespace <> 'posts'");
        jdbc.execute("analyze ranking, ranking_list, entity");
    }

    private List<String> plan(String sql) {
        return rows("explain (analyze, costs off, timing off, buffers off) " + sql);
    }

    private static boolean reads(String line, int rows) {
        return line.contains("rows=" + rows + ".00");
    }

    private List<String> rows(String sql) {
        return TestPostgres.rows(jdbc, sql);
    }
}
