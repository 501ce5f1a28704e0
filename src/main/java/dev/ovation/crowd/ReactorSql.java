package dev.ovation.crowd;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The statements that list reactors. A planner that thinks an entity small must not be able to read
 * a crowd for it; so each statement leaves it one form: {@code user_reaction_newest} is walked, for
 * each kind of reaction, in the order of the list; the key is probed, by ranges of one user in the
 * order that only the key has.
 *
 * @param kinds how many kinds of reactions are merged: few are each a parameter and a branch of the
 *     statement, of which the merge reads no more than it needs; more than {@link #MOST_BRANCHES}
 *     are an array, and of each as much is read as could be needed
 * @param oldest whether the oldest come first
 */
record ReactorSql(int kinds, boolean oldest) {

    /** Kinds that have a branch each; an import may bring thousands. */
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
             where  namespace = :namespace and entity = :entity and reaction = <kind>
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

    /** Each user once, by what may place them: so all that is theirs is looked at once. */
    private static final String ONCE =
            """
            (select * from (select distinct on (user_id) * from <walk> w
                            order by user_id, reacted_at desc, reaction desc) w
             order by reacted_at <order>, user_id <order>)
            """;

    private static final String GIVEN_BY =
            """
            (select reaction, reacted_at
             from   user_reaction
             where  namespace = :namespace and entity = <entity>
             and    user_id >= <user> and user_id <= <user> <kind>
             order  by user_id, reaction
             offset 0)
            """;

    private static final String GATHERED =
            """
            (select array_agg(g.reaction   order by g.reacted_at desc, g.reaction desc) as reactions,
                    array_agg(g.reacted_at order by g.reacted_at desc, g.reaction desc) as times
             from   <given> g
             where  g.reacted_at <= :bound)
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
            (select f.friend_id as user_id, m.reacted_at, cast(:kind0 as text) as reaction
             from   <friends> f
             cross  join lateral (select max(g.reacted_at) as reacted_at
                                  from   <given> g where g.reacted_at <= :bound) m
             where  (m.reacted_at, f.friend_id) <before> (:at, :user)
             order  by m.reacted_at <order>, f.friend_id <order>
             limit  :page)
            """;

    /** The reactions of a user on an entity; both are expressions of SQL. */
    static String gathered(String entity, String user) {
        return GATHERED.replace("<given>", given(entity, user, ""));
    }

    /** Everybody, and whether they are friends of the viewer, if there is one. */
    String everybody(boolean viewer) {
        return page(viewer ? IS_FRIEND : "false", walk(), isPlaced());
    }

    /** All but the friends of the viewer. */
    String others() {
        return page("false", walk(), isPlaced() + " and not " + IS_FRIEND);
    }

    /** Friends among the first so many of the walk, whose set is made beforehand. */
    String friendsOnTheWay() {
        return page("true", WALK_OF_FRIENDS.replace("<walk>", walk()), isPlaced());
    }

    /** Friends, each of whom is looked up. */
    String eachFriend() {
        String kind = kinds == 1 ? "and reaction = :kind0" : "";
        String each =
                EACH_FRIEND
                        .replace("<friends>", FRIENDS)
                        .replace("<given>", given(":entity", "f.friend_id", kind));
        return page("true", each, "true");
    }

    /** The place at which the walk ends by its bound; none when it ends before. */
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
     * Ends between users: of one who got several reactions in one step any may be the placed one.
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

    /** With one kind the row of the walk is all that there is. */
    private String gathered() {
        return kinds == 1
                ? "(select array[w.reaction] as reactions, array[w.reacted_at] as times)"
                : gathered(":entity", "w.user_id");
    }

    /** Of the reactions of a user the newest is the one that counts. */
    private String isPlaced() {
        return kinds == 1 ? "true" : "r.times[1] = w.reacted_at and r.reactions[1] = w.reaction";
    }

    private static String given(String entity, String user, String kind) {
        return GIVEN_BY.replace("<entity>", entity).replace("<user>", user).replace("<kind>", kind);
    }

    private String ordered(String sql) {
        return sql.replace("<before>", oldest ? ">" : "<")
                .replace("<order>", oldest ? "asc" : "desc");
    }
}
