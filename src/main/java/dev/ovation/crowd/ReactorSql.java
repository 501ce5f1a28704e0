package dev.ovation.crowd;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The statements that list reactors. A planner that underestimates an entity must not be able to
 * read all its rows; so each statement has only one possible plan. It walks {@code
 * user_reaction_newest} for each kind of reaction, in the order of the list. It probes the primary
 * key, which alone has a column for the user. The index has no users, so rows of the same time are
 * sorted. The statements are planned with {@code enable_sort} off, which leaves the incremental
 * sort; otherwise a walk could begin with a sort of all rows of a high-cardinality entity.
 *
 * @param kinds number of merged kinds of reactions. Up to {@link #MOST_BRANCHES} kinds are each a
 *     parameter and a branch of the statement, of which the merge reads no more than it needs. More
 *     kinds are an array, and of each the statement reads the most that could be needed
 * @param oldest whether the order is oldest first
 */
record ReactorSql(int kinds, boolean oldest) {

    /** Greatest number of kinds with a branch each; an import may bring thousands of kinds. */
    static final int MOST_BRANCHES = 64;

    private static final String FRIENDS =
            "(select friend_id from friendship where user_id = :viewer offset 0)";

    private static final String IS_FRIEND =
            """
            coalesce((select true from friendship f
                      where  f.user_id = :viewer and f.friend_id = w.user_id), false)
            """;

    private static final String ONE_KIND =
            """
            (select user_id, reaction, reacted_at
             from   user_reaction
             where  list_no(p, entity_no, reaction)
                    = list_no(cast(:p as smallint), :no, cast(<kind> as smallint)) /*on p*/
             and    reacted_at <= :bound and (reacted_at, user_id) <before> (:at, :user)
             order  by reacted_at <order>, user_id <order>
             limit  :walk)
            """;

    private static final String EACH_KIND =
            """
            select w.*
            from   unnest(:kinds) k (kind) cross join lateral <walk> w
            """
                    .replace("<walk>", oneKind("k.kind"));

    private static final String MERGED =
            """
            (select * from (<kinds>) k
             order by reacted_at <order>, user_id <order>
             fetch first :walk rows with ties)
            """;

    /**
     * Each user once, by the reactions that may place them: so all reactions of a user are read
     * once.
     */
    private static final String ONCE =
            """
            (select * from (select distinct on (w.user_id) w.*
                            from   <walk> w join reaction_name x on x.no = w.reaction
                            order  by w.user_id, w.reacted_at desc, x.name desc) w
             order by reacted_at <order>, user_id <order>)
            """;

    private static final String GIVEN_BY =
            """
            (select reaction, reacted_at,
                    (select x.name from reaction_name x where x.no = reaction) as name
             from   user_reaction
             where  p = <p> /*on p*/ and user_id = <user> and entity_no = <no> <kind>
             offset 0)
            """;

    private static final String GATHERED =
            """
            (select array_agg(g.name       order by g.reacted_at desc, g.name desc) as reactions,
                    array_agg(g.reacted_at order by g.reacted_at desc, g.name desc) as times,
                    array_agg(g.reaction   order by g.reacted_at desc, g.name desc) as numbers
             from   <given> g
             where  g.reacted_at <= :bound)
            """;

    private static final String ONE_GIVEN =
            """
            (select array[(select x.name from reaction_name x where x.no = :kind0)] as reactions,
                    array[w.reacted_at] as times)
            """;

    private static final String PAGE =
            """
            select w.user_id, r.reactions, r.times, <friend> as friend,
                   (select p.display_name from user_profile p where p.user_id = w.user_id)
                   as display_name
            from   <walk> w cross join lateral <gathered> r
            where  <condition>
            order  by w.reacted_at <order>, w.user_id <order>
            limit  :page
            """;

    private static final String WALK_OF_FRIENDS =
            """
            (select * from (select v.*, v.user_id in (select friend_id from friendship
                                                      where  user_id = :viewer) as friend
                            from   <walk> v) v
             where  v.friend
             order  by v.reacted_at <order>, v.user_id <order>
             offset 0)
            """;

    private static final String EACH_FRIEND =
            """
            (select f.friend_id as user_id, m.reacted_at, cast(:kind0 as smallint) as reaction
             from   <friends> f
             cross  join lateral (select max(g.reacted_at) as reacted_at
                                  from   <given> g where g.reacted_at <= :bound) m
             where  (m.reacted_at, f.friend_id) <before> (:at, :user)
             order  by m.reacted_at <order>, f.friend_id <order>
             limit  :page)
            """;

    /**
     * Returns a query for the reactions of a user on an entity; all arguments are SQL expressions.
     */
    static String gathered(String p, String no, String user) {
        return GATHERED.replace("<given>", given(p, no, user, ""));
    }

    /** Returns the statement for all reactors; with a viewer, it marks the friends. */
    String everybody(boolean viewer) {
        return page(viewer ? IS_FRIEND : "false", walk(), isPlaced());
    }

    /** Returns the statement for all reactors except the friends of the viewer. */
    String others() {
        return page("false", walk(), isPlaced() + " and not " + IS_FRIEND);
    }

    /**
     * Returns the statement for the friends among the first {@code :walk} rows of the walk; it
     * builds the set of friends first.
     */
    String friendsOnTheWay() {
        return page("true", WALK_OF_FRIENDS.replace("<walk>", walk()), isPlaced());
    }

    /** Returns the statement that looks up each friend. */
    String eachFriend() {
        String kind = kinds == 1 ? "and reaction = :kind0" : "";
        String each =
                EACH_FRIEND
                        .replace("<friends>", FRIENDS)
                        .replace("<given>", given(":p", ":no", "f.friend_id", kind));
        return page("true", each, "true");
    }

    /**
     * Returns the statement for the place at which the bound ends the walk; it finds none when the
     * walk ends before.
     */
    String lastWalked() {
        return ordered(
                "select reacted_at, user_id from "
                        + whole()
                        + " w order by reacted_at <order>, user_id <order>"
                        + " offset :walk - 1 limit 1");
    }

    private String page(String friend, String walk, String condition) {
        return ordered(
                PAGE.replace("<friend>", friend)
                        .replace("<walk>", walk)
                        .replace("<gathered>", gathered())
                        .replace("<condition>", condition));
    }

    private String walk() {
        return kinds > MOST_BRANCHES ? ONCE.replace("<walk>", whole()) : whole();
    }

    /**
     * Ends between users: of several reactions that a user got in one step, any may be the placed
     * one.
     */
    private String whole() {
        if (kinds == 1) {
            return oneKind(0);
        }
        return MERGED.replace("<kinds>", kinds > MOST_BRANCHES ? EACH_KIND : branches());
    }

    private String branches() {
        return IntStream.range(0, kinds)
                .mapToObj(ReactorSql::oneKind)
                .collect(Collectors.joining(" union all "));
    }

    private static String oneKind(int i) {
        return oneKind(":kind" + i);
    }

    private static String oneKind(String kind) {
        return ONE_KIND.replace("<kind>", kind);
    }

    /**
     * Returns the query for the reactions of the user. With one kind, the row of the walk is the
     * only reaction.
     */
    private String gathered() {
        return kinds == 1 ? ONE_GIVEN : gathered(":p", ":no", "w.user_id");
    }

    /** Returns the condition that a row is the newest reaction of its user. */
    private String isPlaced() {
        return kinds == 1 ? "true" : "r.times[1] = w.reacted_at and r.numbers[1] = w.reaction";
    }

    private static String given(String p, String no, String user, String kind) {
        return GIVEN_BY.replace("<p>", p)
                .replace("<no>", no)
                .replace("<user>", user)
                .replace("<kind>", kind);
    }

    private String ordered(String sql) {
        return sql.replace("<before>", oldest ? ">" : "<")
                .replace("<order>", oldest ? "asc" : "desc");
    }
}
