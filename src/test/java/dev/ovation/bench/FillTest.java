package dev.ovation.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import java.sql.SQLException;

import javax.sql.DataSource;

@Beside
class FillTest {

    private final DataSource database = TestPostgres.database();
    private final JdbcTemplate jdbc = new JdbcTemplate(database);

    @BeforeEach
    void partitions() {
        jdbc.update("insert into partition (p) select p from generate_series(0, 63) p");
    }

    @Test
    void countsEqualRows() throws SQLException {
        try (var connection = database.getConnection()) {
            Fill.fill(connection, "posts", "e-", 11, 47, 7);
        }

        assertThat(count("select count(*) from entity")).isEqualTo(37);
        assertThat(count("select count(*) from user_reaction")).isEqualTo(37 * 7);
        assertThat(
                        count(
                                """
                                select count(*)
                                from   named_counter c
                                full   join (select namespace, entity, reaction, count(*) as rows
                                             from   named_reaction
                                             group  by namespace, entity, reaction) r
                                       using (namespace, entity, reaction)
                                where  c.count is distinct from r.rows
                                """))
                .isZero();
    }

    /** More rows than one transaction takes. */
    @Test
    void everyChunkIsThere() throws SQLException {
        try (var connection = database.getConnection()) {
            Fill.fill(connection, "posts", "e-", 1, 5, 30_000);
        }

        assertThat(count("select sum(count) from counter")).isEqualTo(150_000);
        assertThat(count("select count(distinct entity) from entity")).isEqualTo(5);
    }

    private long count(String sql) {
        return jdbc.queryForObject(sql, Long.class);
    }
}
