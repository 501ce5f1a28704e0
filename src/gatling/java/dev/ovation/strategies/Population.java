package dev.ovation.strategies;

import dev.ovation.rules.NamespaceRules;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

/**
 * Rows at the beginning of a run: reactions on entities outside of the topics, ten on each, and
 * reactions on those of the topics, most of them in the middle of each. The same numbers produce
 * the same rows. Constraints hold: the reactions that occur do not exclude each other, and are one
 * fewer than the limit of an entity.
 *
 * @param namespace of all entities
 * @param kinds keys of the reactions that occur
 * @param elsewhere rows on other entities
 * @param topics whose entities users see
 * @param within rows on entities of topics
 */
record Population(
        String namespace, List<String> kinds, long elsewhere, List<Topic> topics, long within) {

    /** The table that holds the rows until a schema copies them. */
    static final String TABLE = "given";

    /** A topic; its entities are {@code <name>/<n>}, n from 0 to size - 1. */
    record Topic(String name, int size) {}

    private static final int ROWS_PER_ENTITY = 10;
    private static final double SEED = 0.42;

    /** Rows on entities: the g-th of all, the n-th (from 0) of its entity. */
    private static final String ELSEWHERE =
            """
            select md5(mod(g, ?)::text)::uuid::text as entity, g / ? as n, g
            from   generate_series(0, ? - 1) as g
            """;

    private static final String WITHIN =
            """
            select entity, row_number() over (partition by entity order by g) - 1 as n, g
            from   (select g, name || '/' || least(size - 1, greatest(0,
                               round(size * (0.5 + x / 6))))::int as entity
                    from   (select g, 1 + mod(g, ?) as topic, random_normal() as x
                            from   generate_series(0, ? - 1) as g) as drawn
                    join   unnest(?, ?) with ordinality as t (name, size, topic) using (topic)) as placed
            """;

    /** Two different reactions for one user after the other. */
    private static final String INSERT =
            """
            insert into given
            select ?, entity, 'other_' || lpad(mod(start + n / each, 1000000)::text, 6, '0'),
                   kinds[1 + mod(start + n / each + mod(n, each), cardinality(kinds))],
                   1700000000000000 + ? + g
            from   (select *, abs(hashtext(entity)::bigint) as start from (%s) as rows) as started,
                   (select kinds, least(2, cardinality(kinds)) as each
                    from   (select ?::text[] as kinds) as given) as what
            """;

    /**
     * Reactions of a namespace that do not exclude each other, one fewer than the limit of an
     * entity.
     */
    static List<String> kinds(NamespaceRules rules) {
        List<String> chosen = new ArrayList<>();
        for (String key : rules.keys()) {
            boolean fits = rules.excluded(key).stream().noneMatch(chosen::contains);
            if (fits && chosen.size() < rules.maxUniqReactions() - 1) {
                chosen.add(key);
            }
        }
        return chosen;
    }

    /** The total number of rows. */
    long rows() {
        return elsewhere + within;
    }

    /** Creates the tables of a schema in an empty database, filled and analyzed. */
    void fill(DataSource database, Schema schema) {
        schema.create(database);
        make(database);
        Schema.run(database, schema.filling());
        Schema.run(database, List.of("drop table " + TABLE, "vacuum analyze"));
    }

    private void make(DataSource database) {
        Schema.run(
                database,
                List.of(
                        """
                        create unlogged table given (
                            namespace text, entity text, user_id text, reaction text, at bigint)
                        """));
        String[] all = kinds.toArray(String[]::new);
        long entities = Math.max(1, elsewhere / ROWS_PER_ENTITY);
        String[] names = topics.stream().map(Topic::name).toArray(String[]::new);
        int[] sizes = topics.stream().mapToInt(Topic::size).toArray();
        try (Connection session = database.getConnection()) {
            var jdbc = new JdbcTemplate(new SingleConnectionDataSource(session, true));
            jdbc.queryForList("select setseed(?)", SEED);
            jdbc.update(
                    INSERT.formatted(ELSEWHERE), namespace, 0, entities, entities, elsewhere, all);
            jdbc.update(
                    INSERT.formatted(WITHIN),
                    namespace,
                    elsewhere,
                    topics.size(),
                    within,
                    names,
                    sizes,
                    all);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
