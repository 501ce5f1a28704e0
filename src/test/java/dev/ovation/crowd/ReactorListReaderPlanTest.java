package dev.ovation.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.crowd.ReactorQuery.FriendFilter;
import dev.ovation.crowd.ReactorsAmong.AmongResult;
import dev.ovation.entity.EntityKey;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Crowded;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The cost of a page in Postgres is independent of the number of reactors, for any estimate of the
 * planner.
 */
@Beside
class ReactorListReaderPlanTest {

    private static final EntityKey CROWD = new EntityKey("posts", "crowd");
    private static final int PAGE = 50;

    @RegisterExtension static final Crowded CROWDED = new Crowded();

    private final ReactorListReader reactors =
            new ReactorListReader(CROWDED.jdbc(), Shards.undivided());

    @ParameterizedTest
    @CsvSource({"auto, false", "force_generic_plan, false", "force_generic_plan, true"})
    void aPageReadsAboutAsManyEntriesAsItShows(String plans, boolean oldest) {
        CROWDED.plans(plans);
        var first = query(null, oldest, null, FriendFilter.AMONG_ALL);
        page(first, 6);

        assertThat(CROWDED.work(() -> page(first, 1))).isLessThan(12 * PAGE);
        assertThat(CROWDED.work(() -> page(first, 10))).isLessThan(12 * 10 * PAGE);
    }

    @Test
    void aPageOfOneReactionNeedsNoMoreThanItsIndex() {
        var first = query("a", false, null, FriendFilter.AMONG_ALL);

        assertThat(CROWDED.work(() -> page(first, 1))).isLessThan(2 * PAGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "force_generic_plan"})
    void frequentFriendsAreFoundByAWalkOfTheList(String plans) {
        CROWDED.plans(plans);
        var query = query(null, false, "often", FriendFilter.FIRST);
        page(query, 6);

        assertThat(CROWDED.work(() -> page(query, 1))).isLessThan(Crowded.FRIENDS + 3_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "force_generic_plan"})
    void rareFriendsAreLookedUp(String plans) {
        CROWDED.plans(plans);
        var query = query(null, false, "rare", FriendFilter.ONLY);

        assertThat(CROWDED.work(() -> page(query, 1)))
                .isLessThan(ReactorListReader.WALK_FOR_FRIENDS + 4 * Crowded.FRIENDS);
        assertThat(read(query).reactors()).isEmpty();
    }

    @Test
    void fewFriendsAreLookedUpAtOnce() {
        var query = query(null, false, "few", FriendFilter.ONLY);

        assertThat(CROWDED.work(() -> page(query, 1))).isLessThan(10 * 20);
        assertThat(read(query).reactors()).hasSize(20);
    }

    @Test
    void theSmallerOfUsersAndReactorsIsGoneThrough() {
        var acquaintances = new ReactorsAmong(CROWDED.jdbc(), Shards.undivided());
        Set<String> among = users(900);

        assertThat(CROWDED.work(() -> find(acquaintances, "crowd", among))).isLessThan(4 * 900);
        assertThat(CROWDED.work(() -> find(acquaintances, "tail7", among))).isLessThan(100);
    }

    @Test
    void theIndexesAreNamedInThePlans() {
        var sql = new ReactorSql(4, false);

        assertThat(plan(sql.everybody(true)))
                .contains("Merge Append", "using user_reaction_newest", "using user_reaction_pkey")
                .doesNotContain("Seq Scan on user_reaction", "Seq Scan on friendship");
        assertThat(plan(sql.friendsOnTheWay())).contains("Merge Append", "hashed SubPlan");
        assertThat(plan(sql.eachFriend()))
                .contains("using user_reaction_pkey", "using friendship_pkey")
                .doesNotContain("user_reaction_newest");
    }

    @Test
    void theStatementDoesNotGrowWithTheKinds() {
        String sql = new ReactorSql(Crowded.KINDS, false).everybody(true);

        assertThat(sql).isEqualTo(new ReactorSql(2 * Crowded.KINDS, false).everybody(true));
        assertThat(plan(sql))
                .contains("using user_reaction_newest", "using user_reaction_pkey")
                .doesNotContain("Seq Scan on user_reaction", "Seq Scan on friendship");
    }

    /** Compared with a sort of all rows in memory. */
    @ParameterizedTest
    @CsvSource({"false, ", "true, ", "false, d", "true, d"})
    void pagesAreThoseOfTheWholeListInOrder(boolean oldest, String reaction) {
        String direction = oldest ? "asc" : "desc";
        List<String> expected =
                CROWDED.jdbc()
                        .queryForList(
                                """
                        select   user_id
                        from     named_reaction
                        where    entity = 'crowd' and (? = '' or reaction = ?)
                        group by user_id
                        order by max(reacted_at) %s, user_id %s
                        limit    500
                        """
                                        .formatted(direction, direction),
                                String.class,
                                reaction == null ? "" : reaction,
                                reaction);

        assertThat(page(query(reaction, oldest, null, FriendFilter.AMONG_ALL), 10))
                .isEqualTo(expected);
    }

    /** More kinds than a statement can have branches. */
    @ParameterizedTest
    @CsvSource({"false, ", "true, ", "false, often"})
    void thousandsOfKindsAreListedAsFewAre(boolean oldest, String viewer) {
        String direction = oldest ? "asc" : "desc";
        List<String> expected =
                CROWDED.jdbc()
                        .queryForList(
                                """
                        select   r.user_id
                        from     named_reaction r
                        left     join friendship f on f.user_id = ? and f.friend_id = r.user_id
                        where    entity = 'kinds'
                        group by r.user_id
                        order by count(f.friend_id) = 0, max(reacted_at) %s, r.user_id %s
                        """
                                        .formatted(direction, direction),
                                String.class,
                                viewer);
        assertThat(expected).hasSizeGreaterThan(Crowded.KINDS);
        var kinds = new EntityKey("posts", "kinds");
        var friends = viewer == null ? FriendFilter.AMONG_ALL : FriendFilter.FIRST;
        var query = new ReactorQuery(kinds, null, oldest, viewer, friends, null, 300);

        assertThat(page(query, 100)).isEqualTo(expected);
        assertThat(CROWDED.work(() -> read(query))).isLessThan(12 * Crowded.KINDS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manyKindsAreReadWithinTheBoundOfAPage(boolean oldest) {
        String direction = oldest ? "asc" : "desc";
        List<String> expected =
                CROWDED.jdbc()
                        .queryForList(
                                """
                        select   user_id
                        from     named_reaction
                        where    entity = 'emoji'
                        order by reacted_at %s, user_id %s
                        """
                                        .formatted(direction, direction),
                                String.class);
        var emoji = new EntityKey("posts", "emoji");
        var query = new ReactorQuery(emoji, null, oldest, null, FriendFilter.AMONG_ALL, null, 300);
        assertThat(expected).hasSizeGreaterThan(ReactorListReader.READ);

        List<String> users = page(query, 4);

        assertThat(users)
                .hasSizeGreaterThan(3 * ReactorListReader.READ / Crowded.EMOJI)
                .isEqualTo(expected.subList(0, users.size()));
        assertThat(CROWDED.work(() -> read(query))).isLessThan(3 * ReactorListReader.READ);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reactorsOfOneInstantComeOnceEach(boolean oldest) {
        var imported = new EntityKey("posts", "imported");
        var query = new ReactorQuery(imported, null, oldest, null, FriendFilter.AMONG_ALL, null, 7);

        assertThat(page(query, 100)).doesNotHaveDuplicates().hasSize(Crowded.IMPORTED);
    }

    /** A page reads fewer reactions than these users have, and so ends among those of one user. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPageThatEndsAmidReactionsOfOneStepOmitsNoUser(boolean oldest) {
        var sets = new EntityKey("posts", "sets");
        var query = new ReactorQuery(sets, null, oldest, null, FriendFilter.AMONG_ALL, null, 200);

        assertThat(Crowded.SETS * Crowded.KINDS_OF_A_SET).isGreaterThan(ReactorListReader.WALK);
        assertThat(ReactorListReader.WALK % Crowded.KINDS_OF_A_SET).isPositive();
        assertThat(page(query, 3)).doesNotHaveDuplicates().hasSize(Crowded.SETS);
    }

    /** The users on the given number of pages. */
    private List<String> page(ReactorQuery first, int pages) {
        ReactorQuery query = first;
        var users = new ArrayList<String>();
        for (int i = 0; i < pages; i++) {
            ReactorPage page = read(query);
            page.reactors().forEach(each -> users.add(each.user()));
            if (page.next() == null) {
                break;
            }
            query =
                    new ReactorQuery(
                            query.key(),
                            query.reaction(),
                            query.oldest(),
                            query.viewer(),
                            query.friends(),
                            page.next(),
                            query.limit());
        }
        return users;
    }

    /** Uses a transaction, which sets the planning mode of its statements. */
    private ReactorPage read(ReactorQuery query) {
        return CROWDED.transaction(() -> reactors.page(query));
    }

    private static ReactorQuery query(
            String reaction, boolean oldest, String viewer, FriendFilter friends) {
        return new ReactorQuery(CROWD, reaction, oldest, viewer, friends, null, PAGE);
    }

    private static Map<String, AmongResult> find(
            ReactorsAmong acquaintances, String entity, Set<String> among) {
        return acquaintances.find("posts", List.of(entity), among, PAGE);
    }

    private static Set<String> users(int n) {
        return IntStream.range(0, n)
                .mapToObj(i -> "user" + i)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private String plan(String sql) {
        var parameters = new HashMap<String, Object>();
        var crowd = number("select p, no from entity where entity = 'crowd'");
        parameters.put("p", crowd[0]);
        parameters.put("no", crowd[1]);
        parameters.put("viewer", "often");
        parameters.put("bound", Long.MAX_VALUE - 1);
        parameters.put("at", Long.MAX_VALUE);
        parameters.put("user", "");
        parameters.put("walk", ReactorListReader.WALK_FOR_FRIENDS);
        parameters.put("page", PAGE + 1);
        int[] kinds = new int[4];
        for (int i = 0; i < 4; i++) {
            kinds[i] = kind("abcd".substring(i, i + 1));
            parameters.put("kind" + i, kinds[i]);
        }
        parameters.put("kinds", kinds);
        return CROWDED.transaction(
                () -> {
                    CROWDED.jdbc().execute("set local enable_sort = off");
                    return String.join(
                            "\n",
                            JdbcClient.create(CROWDED.jdbc())
                                    .sql("explain " + sql)
                                    .params(parameters)
                                    .query(String.class)
                                    .list());
                });
    }

    private static int[] number(String sql) {
        return CROWDED.jdbc()
                .queryForObject(sql, (row, _) -> new int[] {row.getInt(1), row.getInt(2)});
    }

    private static int kind(String name) {
        return number("select no, 0 from reaction_name where name = '" + name + "'")[0];
    }
}
