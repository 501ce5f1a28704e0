package dev.ovation.crowd;

import dev.ovation.crowd.ReactorQuery.Friends;
import dev.ovation.crowd.ReactorQuery.Progress;
import dev.ovation.store.Columns;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lists reactors, each page from one snapshot. What a page may cost is bounded, however large the
 * crowd, whoever reacted how often: then it has fewer users than asked for, and says where the next
 * one begins.
 */
@Repository
class Reactors {

    /** User reactions that one page looks at. */
    static final int WALK = 2_000;

    /** The same while friends are looked for: less is asked of each. */
    static final int WALK_FOR_FRIENDS = 10_000;

    /** User reactions that are read for that where kinds are too many to be merged as they come. */
    static final int READ = 20_000;

    /** Friends who are looked up at once, because that is soon done. */
    private static final int FEW_FRIENDS = 1_000;

    private final JdbcClient jdbc;

    Reactors(JdbcTemplate jdbc) {
        this.jdbc = JdbcClient.create(jdbc);
    }

    /** Who reacted with what, in all: kinds, how many user reactions, time of the newest. */
    private record Crowd(List<String> kinds, long size, long lastAt) {}

    /** Reads a page. */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public ReactorPage page(ReactorQuery query) {
        Crowd crowd = crowd(query);
        if (crowd.kinds.isEmpty()) {
            return ReactorPage.EMPTY;
        }
        boolean others = query.friends() == Friends.AMONG_ALL;
        Progress from = query.from();
        return new Reading(query, crowd)
                .from(from == null ? query.beginning(others, crowd.lastAt) : from);
    }

    private Crowd crowd(ReactorQuery query) {
        var kinds = new ArrayList<String>();
        var numbers = new long[2];
        jdbc.sql(
                        """
                        select reaction, count, last_at
                        from   counter
                        where  namespace = :namespace and entity = :entity
                        order  by reaction
                        """)
                .param("namespace", query.key().namespace())
                .param("entity", query.key().entity())
                .query(
                        row -> {
                            String kind = row.getString(1);
                            if (query.reaction() == null || query.reaction().equals(kind)) {
                                kinds.add(kind);
                                numbers[0] += row.getLong(2);
                                numbers[1] = Math.max(numbers[1], row.getLong(3));
                            }
                        });
        return new Crowd(kinds, numbers[0], numbers[1]);
    }

    /** One page in the making. */
    private final class Reading {
        private final ReactorQuery query;
        private final Crowd crowd;
        private final ReactorSql sql;

        Reading(ReactorQuery query, Crowd crowd) {
            this.query = query;
            this.crowd = crowd;
            this.sql = new ReactorSql(crowd.kinds.size(), query.oldest());
        }

        ReactorPage from(Progress from) {
            if (from.others()) {
                return others(List.of(), from);
            }
            List<Reactor> friends = friends(from, query.limit() + 1);
            if (friends.size() > query.limit()) {
                List<Reactor> page = friends.subList(0, query.limit());
                return new ReactorPage(page, from.behind(page.getLast()));
            }
            return query.friends() == Friends.ONLY
                    ? new ReactorPage(friends, null)
                    : others(friends, query.beginning(true, from.bound()));
        }

        /** Fills a page on which there are friends already. */
        private ReactorPage others(List<Reactor> friends, Progress from) {
            int room = query.limit() - friends.size();
            String statement =
                    query.friends() == Friends.AMONG_ALL
                            ? sql.everybody(query.viewer() != null)
                            : sql.others();
            int walk = walk(WALK);
            List<Reactor> found = list(statement, from, walk, room + 1);
            var page = new ArrayList<>(friends);
            page.addAll(found.subList(0, Math.min(room, found.size())));
            if (found.size() <= room) {
                return new ReactorPage(page, crowd.size <= walk ? null : lastWalked(from, walk));
            }
            return new ReactorPage(page, room == 0 ? from : from.behind(page.getLast()));
        }

        /**
         * The newest reactors are walked, because friends are often among them, if only because the
         * crowd is small; when that does not fill the page, each friend is looked up.
         */
        private List<Reactor> friends(Progress from, int wanted) {
            long known = friendsUpTo(FEW_FRIENDS + 1L);
            if (known == 0) {
                return List.of();
            }
            if (known > FEW_FRIENDS || crowd.size <= known) {
                int walk = walk(WALK_FOR_FRIENDS);
                List<Reactor> met = list(sql.friendsOnTheWay(), from, walk, wanted);
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

        /** Of many kinds, of each of which as much is read, less in a crowd. */
        private int walk(int most) {
            int kinds = crowd.kinds.size();
            return kinds <= ReactorSql.MOST_BRANCHES || crowd.size <= READ
                    ? most
                    : Math.max(READ / kinds, 1);
        }

        private List<Reactor> list(String statement, Progress from, int walk, int page) {
            Map<String, Object> parameters = parameters(from, walk);
            parameters.put("page", page);
            return jdbc.sql(statement).params(parameters).query(Reactor::of).list();
        }

        private @Nullable Progress lastWalked(Progress from, int walk) {
            return jdbc.sql(sql.lastWalked())
                    .params(parameters(from, walk))
                    .query(
                            (row, _) ->
                                    new Progress(
                                            true, from.bound(), row.getLong(1), row.getString(2)))
                    .optional()
                    .orElse(null);
        }

        private Map<String, Object> parameters(Progress from, int walk) {
            var parameters = new HashMap<String, Object>();
            parameters.put("namespace", query.key().namespace());
            parameters.put("entity", query.key().entity());
            parameters.put("bound", from.bound());
            parameters.put("at", from.at());
            parameters.put("user", from.user());
            parameters.put("walk", walk);
            String viewer = query.viewer();
            if (viewer != null) {
                parameters.put("viewer", viewer);
            }
            parameters.put("kinds", Columns.texts(crowd.kinds));
            for (int i = 0; i < Math.min(crowd.kinds.size(), ReactorSql.MOST_BRANCHES); i++) {
                parameters.put("kind" + i, crowd.kinds.get(i));
            }
            return parameters;
        }
    }
}
