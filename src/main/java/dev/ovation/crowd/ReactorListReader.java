package dev.ovation.crowd;

import dev.ovation.crowd.ReactorQuery.FriendFilter;
import dev.ovation.crowd.ReactorQuery.ReactorPosition;
import dev.ovation.store.Columns;
import dev.ovation.store.Numbers.EntityNo;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lists reactors. A page is read within one snapshot of the caller. The cost of a page is bounded,
 * however many reactions the entity and its users have. A page at the bound has fewer users than
 * requested, and names the place of the next one. Only users of the same time are read together,
 * however many they are.
 */
final class ReactorListReader {

    /** User reactions that one page reads. */
    static final int WALK = 2_000;

    /** User reactions that one page reads in the search for friends, where each costs less. */
    static final int WALK_FOR_FRIENDS = 10_000;

    /** User reactions that one page reads when the kinds are too many for a merge. */
    static final int READ = 20_000;

    /** Greatest number of friends that are looked up at once, because that takes little time. */
    private static final int FEW_FRIENDS = 1_000;

    private final JdbcClient jdbc;
    private final Shards shards;

    ReactorListReader(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = JdbcClient.create(jdbc);
        this.shards = shards;
    }

    /**
     * All reactions of an entity: the numbers of the entity and of its kinds, the number of user
     * reactions, and the time of the newest.
     */
    private record Crowd(EntityNo entity, List<Integer> kinds, long size, long lastAt) {}

    /** Reads a page. */
    ReactorPage page(ReactorQuery query) {
        return shards.within(query.key(), () -> read(query));
    }

    private ReactorPage read(ReactorQuery query) {
        Crowd crowd = crowd(query);
        if (crowd == null) {
            return ReactorPage.EMPTY;
        }
        boolean others = query.friends() == FriendFilter.AMONG_ALL;
        ReactorPosition from = query.from();
        return new ReactorPageReading(query, crowd)
                .from(from == null ? query.beginning(others, crowd.lastAt) : from);
    }

    /**
     * Reads the entity. Sets the planner options of the following statements, see {@link
     * ReactorSql}.
     */
    private @Nullable Crowd crowd(ReactorQuery query) {
        var entity = new EntityNo[1];
        var kinds = new ArrayList<Integer>();
        var numbers = new long[2];
        shards.setLocal("enable_sort = off");
        jdbc.sql(
                        Narrowed.sql(
                                """
                                select c.p, c.entity_no, c.reaction, x.name, c.count, c.last_at,
                                       set_config('enable_sort', 'off', true)
                                from   entity e
                                join   counter c on c.p = e.p /*on c.p*/ and c.entity_no = e.no
                                join   reaction_name x on x.no = c.reaction
                                where  e.namespace = :namespace and e.entity = :entity /*on e.p*/
                                order  by x.name
                                """))
                .param("namespace", query.key().namespace())
                .param("entity", query.key().entity())
                .query(
                        row -> {
                            String kind = row.getString(4);
                            if (query.reaction() == null || query.reaction().equals(kind)) {
                                entity[0] = new EntityNo(row.getInt(1), row.getInt(2));
                                kinds.add(row.getInt(3));
                                numbers[0] += row.getLong(5);
                                numbers[1] = Math.max(numbers[1], row.getLong(6));
                            }
                        });
        return entity[0] == null ? null : new Crowd(entity[0], kinds, numbers[0], numbers[1]);
    }

    /** The reading of one page. */
    private final class ReactorPageReading {
        private final ReactorQuery query;
        private final Crowd crowd;
        private final ReactorSql sql;

        ReactorPageReading(ReactorQuery query, Crowd crowd) {
            this.query = query;
            this.crowd = crowd;
            this.sql = new ReactorSql(crowd.kinds.size(), query.oldest());
        }

        ReactorPage from(ReactorPosition from) {
            if (from.others()) {
                return others(List.of(), from);
            }
            List<ListedReactor> friends = friends(from, query.limit() + 1);
            if (friends.size() > query.limit()) {
                List<ListedReactor> page = friends.subList(0, query.limit());
                return new ReactorPage(page, from.behind(page.getLast()));
            }
            return query.friends() == FriendFilter.ONLY
                    ? new ReactorPage(friends, null)
                    : others(friends, query.beginning(true, from.bound()));
        }

        /** Fills a page that has friends already. */
        private ReactorPage others(List<ListedReactor> friends, ReactorPosition from) {
            int room = query.limit() - friends.size();
            String statement =
                    query.friends() == FriendFilter.AMONG_ALL
                            ? sql.everybody(query.viewer() != null)
                            : sql.others();
            int walk = walk(WALK);
            List<ListedReactor> found = list(statement, from, walk, room + 1);
            var page = new ArrayList<>(friends);
            page.addAll(found.subList(0, Math.min(room, found.size())));
            if (found.size() <= room) {
                return new ReactorPage(page, crowd.size <= walk ? null : lastWalked(from, walk));
            }
            return new ReactorPage(page, room == 0 ? from : from.behind(page.getLast()));
        }

        /**
         * Walks the newest reactors first, because friends are often among them, above all on a
         * small entity; when the walk does not fill the page, looks up each friend.
         */
        private List<ListedReactor> friends(ReactorPosition from, int wanted) {
            long known = friendsUpTo(FEW_FRIENDS + 1L);
            if (known == 0) {
                return List.of();
            }
            if (known > FEW_FRIENDS || crowd.size <= known) {
                int walk = walk(WALK_FOR_FRIENDS);
                List<ListedReactor> met = list(sql.friendsOnTheWay(), from, walk, wanted);
                if (met.size() == wanted || crowd.size <= walk) {
                    return met;
                }
            }
            return list(sql.eachFriend(), from, 0, wanted);
        }

        private long friendsUpTo(long most) {
            return jdbc.sql(
                            """
                            select count(*) from (select from friendship where user_id = :viewer
                                                  limit :most) f
                            """)
                    .param("viewer", query.viewer())
                    .param("most", most)
                    .query(Long.class)
                    .single();
        }

        /**
         * Returns the length of a walk. With too many kinds for a merge, the statement reads that
         * much of each, so the walk is shorter on a high-cardinality entity.
         */
        private int walk(int most) {
            int kinds = crowd.kinds.size();
            return kinds <= ReactorSql.MOST_BRANCHES || crowd.size <= READ
                    ? most
                    : Math.max(READ / kinds, 1);
        }

        private List<ListedReactor> list(
                String statement, ReactorPosition from, int walk, int page) {
            Map<String, Object> parameters = parameters(from, walk);
            parameters.put("page", page);
            return jdbc.sql(Narrowed.sql(statement))
                    .params(parameters)
                    .query(ListedReactor::of)
                    .list();
        }

        private @Nullable ReactorPosition lastWalked(ReactorPosition from, int walk) {
            return jdbc.sql(Narrowed.sql(sql.lastWalked()))
                    .params(parameters(from, walk))
                    .query(
                            (row, _) ->
                                    new ReactorPosition(
                                            true, from.bound(), row.getLong(1), row.getString(2)))
                    .optional()
                    .orElse(null);
        }

        private Map<String, Object> parameters(ReactorPosition from, int walk) {
            var parameters = new HashMap<String, Object>();
            parameters.put("p", crowd.entity.p());
            parameters.put("no", crowd.entity.no());
            parameters.put("bound", from.bound());
            parameters.put("at", from.at());
            parameters.put("user", from.user());
            parameters.put("walk", walk);
            String viewer = query.viewer();
            if (viewer != null) {
                parameters.put("viewer", viewer);
            }
            parameters.put("kinds", Columns.ints(crowd.kinds, Integer::intValue));
            for (int i = 0; i < Math.min(crowd.kinds.size(), ReactorSql.MOST_BRANCHES); i++) {
                parameters.put("kind" + i, crowd.kinds.get(i));
            }
            return parameters;
        }
    }
}
