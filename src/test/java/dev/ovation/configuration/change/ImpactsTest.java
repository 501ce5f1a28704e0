package dev.ovation.configuration.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ovation.rules.Namespace;
import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.ReactionSet;
import dev.ovation.rules.RuleSet;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.Beside;
import dev.ovation.testing.TestPostgres;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

/** Compares impacts with counts by plain statements over all stored reactions. */
@Beside
class ImpactsTest {

    /** Each has about 107 reactions: {@code -Dimpact.entities=9400} for a million. */
    private static final int ENTITIES = Integer.getInteger("impact.entities", 2_000);

    private static final Duration LONG = Duration.ofMinutes(5);

    private static final List<String> LETTERS = List.of("a", "b", "c", "d", "e", "f", "g");

    private static final RuleSet BEFORE =
            rules(
                    List.of(
                            new ReactionSet("all", LETTERS),
                            new ReactionSet("posts", LETTERS),
                            new ReactionSet("back", List.of("a", "b"))),
                    namespace("posts", "posts", 7),
                    namespace("notes", "all", 5, List.of("a", "b")),
                    namespace("back", "back", 2),
                    namespace("gone", "all", 7),
                    namespace("empty", "all", 7));

    private static final RuleSet AFTER =
            rules(
                    List.of(
                            new ReactionSet("all", LETTERS),
                            new ReactionSet("posts", List.of("a", "b", "c", "d", "e")),
                            new ReactionSet("back", List.of("a", "b", "c"))),
                    namespace("posts", "posts", 3, List.of("a", "b", "c"), List.of("c", "d")),
                    namespace("notes", "all", 5, List.of("b", "a"), List.of("b", "c")),
                    namespace("back", "back", 2));

    private static DataSource database;
    private static JdbcTemplate jdbc;

    @BeforeAll
    static void fill() {
        database = TestPostgres.database();
        jdbc = new JdbcTemplate(database);
        jdbc.execute("insert into partition (p) select generate_series(0, 63)");
        jdbc.execute(
                """
                insert into reaction_name (no, name)
                select n, chr(96 + n) from generate_series(1, 7) n
                """);
        jdbc.update(
                """
                insert into entity (p, no, namespace, entity, last_op, version, last_at)
                select n % 64, n / 64 + 1, case when n % 20 < 12 then 'posts' when n % 20 < 16 then 'notes'
                                                when n % 20 < 19 then 'back' else 'gone' end,
                       'e' || n, '', 1, 0
                from   generate_series(0, ? - 1) n
                """,
                ENTITIES);
        // Entities have one to seven kinds of reactions.
        jdbc.execute(
                """
                insert into user_reaction (p, entity_no, reaction, user_id, reacted_at)
                select e.p, e.no, r, 'user ' || u, 0
                from   entity e
                cross  join generate_series(1, 100) u
                cross  join generate_series(1, 7) r
                where  r <= 1 + e.no % 7 and abs(hashtext(concat_ws(' ', e.entity, u, r))) % 15 < 4
                """);
        jdbc.execute(
                """
                insert into counter (p, entity_no, reaction, count, first_at, last_at)
                select p, entity_no, reaction, count(*), 0, 0 from user_reaction group by 1, 2, 3
                """);
        jdbc.execute(
                """
                update entity e set people = (select count(distinct user_id) from user_reaction r
                                              where  r.p = e.p and r.entity_no = e.no)
                """);
        // A reaction that was taken back leaves its counter.
        jdbc.execute(
                """
                insert into counter (p, entity_no, reaction, count, first_at, last_at)
                select p, no, 7, 0, 0, 0 from entity on conflict do nothing
                """);
        jdbc.execute("analyze");
    }

    @Test
    void areWhatPlainStatementsCount() {
        assertThat(number("select count(*) from user_reaction")).isGreaterThan(100_000);

        assertThat(impacts(LONG).of(BEFORE, AFTER, key -> key + "!"))
                .containsExactlyElementsOf(counted());
    }

    @Test
    void areNoneWhereNothingStoredIsAffected() {
        RuleSet wider =
                rules(
                        BEFORE.reactionSets(),
                        Stream.concat(
                                        BEFORE.namespaces().stream(),
                                        Stream.of(namespace("new", "all", 1)))
                                .toArray(Namespace[]::new));

        assertThat(impacts(LONG).of(BEFORE, BEFORE, key -> key)).isEmpty();
        assertThat(impacts(LONG).of(BEFORE, wider, key -> key)).isEmpty();
    }

    /** Entities and users of {@code newly-exclusive} are at most as many as the estimate says. */
    @Test
    void areEstimatedFromASampleWithoutTimeToCount() {
        List<Impact> estimated = impacts(Duration.ZERO).of(BEFORE, AFTER, key -> key + "!");
        List<Impact> counted = counted();

        assertThat(estimated).extracting(Impact::exact).containsOnly(false);
        assertThat(estimated.stream().map(ImpactsTest::subject))
                .containsExactlyElementsOf(counted.stream().map(ImpactsTest::subject).toList());
        for (int i = 0; i < counted.size(); i++) {
            assertThat(estimated.get(i).reactions())
                    .as(counted.get(i).toString())
                    .isCloseTo(counted.get(i).reactions(), within(counted.get(i).reactions() / 3));
            assertThat(estimated.get(i).entities())
                    .as(counted.get(i).toString())
                    .isGreaterThan(counted.get(i).entities() / 2);
        }
        assertThat(estimated.getFirst().entities())
                .isCloseTo(counted.getFirst().entities(), Percentage.withPercentage(30));
    }

    @Test
    void lostNamespacesAreThoseWithReactions() {
        assertThat(impacts(Duration.ZERO).lost(BEFORE, AFTER)).containsExactly("gone");
        assertThat(impacts(Duration.ZERO).lost(AFTER, BEFORE)).isEmpty();
    }

    private static String subject(Impact impact) {
        return impact.namespaceId() + " " + impact.kind() + " " + impact.reactionId();
    }

    /** The impacts of the change, in their order. */
    private static List<Impact> counted() {
        var counted = new ArrayList<Impact>();
        for (String retired : List.of("f", "g")) {
            String rows =
                    "from named_reaction where namespace = 'posts' and reaction = '%s'"
                            .formatted(retired);
            counted.add(
                    new Impact(
                            "posts",
                            "retired-reaction",
                            retired + "!",
                            number("select count(distinct entity) " + rows),
                            null,
                            number("select count(*) " + rows),
                            true));
        }
        counted.add(overLimit("posts", "'a', 'b', 'c', 'd', 'e'", 3));
        counted.add(
                exclusive(
                        "posts",
                        "('a','b'), ('b','a'), ('a','c'), ('c','a'), ('b','c'),"
                                + " ('c','b'), ('c','d'), ('d','c')"));
        counted.add(exclusive("notes", "('b','c'), ('c','b')"));
        counted.add(overLimit("back", "'a', 'b', 'c'", 2));
        counted.add(
                new Impact(
                        "gone",
                        "namespace-removed",
                        null,
                        number(
                                "select count(distinct entity) from named_reaction"
                                        + " where namespace = 'gone'"),
                        null,
                        number("select count(*) from named_reaction where namespace = 'gone'"),
                        true));
        return counted;
    }

    private static Impact overLimit(String namespace, String kinds, int limit) {
        String entities =
                """
                from (select entity, count(*) as reactions from named_reaction
                      where  namespace = '%s' and reaction in (%s)
                      group  by entity having count(distinct reaction) > %d) over
                """
                        .formatted(namespace, kinds, limit);
        return new Impact(
                namespace,
                "over-limit",
                null,
                number("select count(*) " + entities),
                null,
                number("select sum(reactions) " + entities),
                true);
    }

    private static Impact exclusive(String namespace, String pairs) {
        String rows =
                """
                from  (select distinct x.entity, x.user_id, x.reaction
                       from   named_reaction x
                       join   named_reaction y
                              on y.namespace = x.namespace and y.entity = x.entity and y.user_id = x.user_id
                       where  x.namespace = '%s' and (x.reaction, y.reaction) in (%s)) clash
                """
                        .formatted(namespace, pairs);
        return new Impact(
                namespace,
                "newly-exclusive",
                null,
                number("select count(distinct entity) " + rows),
                number("select count(distinct user_id) " + rows),
                number("select count(*) " + rows),
                true);
    }

    private static long number(String sql) {
        Long number = jdbc.queryForObject(sql, Long.class);
        return number == null ? 0 : number;
    }

    private static Impacts impacts(Duration budget) {
        return new Impacts(
                database, new JdbcTransactionManager(database), Shards.undivided(), budget, LONG);
    }

    private static RuleSet rules(List<ReactionSet> sets, Namespace... namespaces) {
        return new RuleSet(
                LETTERS.stream()
                        .map(id -> new ReactionDefinition(id, null, "unicode", id, null, null))
                        .toList(),
                sets,
                List.of(namespaces));
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    private static Namespace namespace(String id, String set, int limit, List<String>... groups) {
        return new Namespace(id, set, limit, List.of(groups));
    }
}
