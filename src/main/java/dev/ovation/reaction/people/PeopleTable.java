package dev.ovation.reaction.people;

import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.people.KeptProfiles.Profile;
import dev.ovation.reaction.people.StoredPeople.GivenReaction;
import dev.ovation.reaction.people.StoredPeople.StoredFriends;
import dev.ovation.reaction.people.StoredPeople.StoredPerson;
import dev.ovation.reaction.view.Views;
import dev.ovation.store.Columns;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** Reads users with reactions on many entities, each kind of them by one statement. */
@Repository
public class PeopleTable {

    /** How many users of an entity, and of each of its reactions, are read at least. */
    static final int FEW = 5;

    private static final Comparator<StoredPerson> NEWEST_FIRST =
            Comparator.comparingLong(StoredPerson::newestAt)
                    .thenComparing(StoredPerson::user)
                    .reversed();

    /** The newest users of an entity are among the newest of one reaction there. */
    private static final String PEOPLE =
            """
            with wanted as materialized (
                select k.i, k.most, e.p, e.no, e.people, e.version,
                       (select t.epoch from partition t where t.p = e.p /*on t.p*/) as epoch
                from   unnest(?, ?, ?) with ordinality as k (namespace, entity, most, i)
                join   entity e
                       on e.namespace = k.namespace and e.entity = k.entity /*on e.p*/
            ), newest as (
                select distinct k.i, k.p, k.no, r.user_id
                from   wanted k
                join   counter c on c.p = k.p /*on c.p*/ and c.entity_no = k.no
                cross  join lateral (
                           select   user_id
                           from     user_reaction u
                           where    list_no(u.p, u.entity_no, u.reaction)
                                    = list_no(c.p, c.entity_no, c.reaction) /*on u.p*/
                           order by reacted_at desc
                           limit    k.most) r)
            select   k.i, k.epoch, k.version, k.people,
                     n.user_id, r.name, r.reacted_at
            from     wanted k
            left     join newest n on n.i = k.i
            left     join lateral (
                         select   reacted_at,
                                  (select x.name from reaction_name x where x.no = reaction) as name
                         from     user_reaction
                         where    p = n.p /*on p*/ and user_id = n.user_id and entity_no = n.no
                         offset   0) r on true
            order by k.i, n.user_id, r.reacted_at desc, r.name desc
            """;

    /**
     * Looks up all friends on each entity by one scan of the index, which takes a fifth of the time
     * of one scan for each friend.
     */
    private static final String FRIENDS =
            """
            with wanted as materialized (
                select k.i, e.p, e.no, e.version,
                       (select t.epoch from partition t where t.p = e.p /*on t.p*/) as epoch
                from   unnest(?, ?) with ordinality as k (namespace, entity, i)
                join   entity e
                       on e.namespace = k.namespace and e.entity = k.entity /*on e.p*/
            ), given as materialized (
                select k.i, r.user_id as friend_id, r.reaction, r.reacted_at
                from   wanted k
                cross  join lateral (
                           select user_id, reaction, reacted_at
                           from   user_reaction
                           where  p = k.p /*on p*/ and entity_no = k.no
                           and    user_id = any(:friends)
                           offset 0) r
            ), by_kind as (
                select g.*,
                       count(*) over (partition by i, reaction) as of_kind,
                       row_number() over (partition by i, reaction
                                          order by reacted_at desc, friend_id desc) as place_of_kind,
                       max(reacted_at) over (partition by i, friend_id) as newest
                from   given g
            ), placed as (
                select b.*,
                       dense_rank() over (partition by i
                                          order by newest desc, friend_id desc) as place,
                       min(place_of_kind) over (partition by i, friend_id) as best_of_kind
                from   by_kind b
            ), counted as (
                select p.*, max(place) over (partition by i) as friends from placed p
            ), few as (
                select c.*, x.name
                from   counted c
                join   reaction_name x on x.no = c.reaction
                where  c.place <= ? or c.best_of_kind <= ?
            )
            select   k.i, k.epoch, k.version, f.friends, f.friend_id, f.name, f.reacted_at, f.of_kind
            from     wanted k
            left     join few f on f.i = k.i
            order by k.i, f.place, f.reacted_at desc, f.name desc
            """;

    private final JdbcTemplate jdbc;
    private final Shards shards;

    PeopleTable(JdbcTemplate jdbc, Shards shards) {
        this.shards = shards;
        this.jdbc = jdbc;
    }

    /**
     * Reads users of entities; an entity without a row is missing.
     *
     * @param wanted how many of the newest users of each reaction are read, by entity
     */
    Map<EntityKey, StoredPeople> people(Map<EntityKey, Integer> wanted) {
        var found = new HashMap<EntityKey, StoredPeople>();
        shards.each(wanted.keySet(), some -> read(List.copyOf(some), wanted, found));
        found.values().forEach(people -> people.people().sort(NEWEST_FIRST));
        return found;
    }

    private void read(
            List<EntityKey> keys,
            Map<EntityKey, Integer> wanted,
            Map<EntityKey, StoredPeople> found) {
        jdbc.query(
                Narrowed.sql(PEOPLE),
                row -> {
                    var key = keys.get(row.getInt(1) - 1);
                    String state = Views.state(row.getLong(2), row.getLong(3));
                    long version = row.getLong(3);
                    boolean isLess = row.getLong(4) > wanted.getOrDefault(key, 0);
                    var people =
                            found.computeIfAbsent(
                                    key,
                                    _ ->
                                            new StoredPeople(
                                                    state, version, !isLess, new ArrayList<>()));
                    add(row, people.people());
                },
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity),
                Columns.ints(keys, key -> wanted.getOrDefault(key, 0)));
    }

    /** Returns the friends of a user, at most the given number. */
    FriendSet friends(String user, int limit) {
        return set(
                """
                select friend_id from friendship where user_id = ? order by friend_id limit ?
                """,
                user,
                limit);
    }

    /** Returns which of these users are friends of a user. */
    FriendSet friendsAmong(String user, Collection<String> users) {
        return set(
                """
                select friend_id from friendship where user_id = ? and friend_id = any(?)
                order  by friend_id
                """,
                user,
                Columns.texts(users));
    }

    private FriendSet set(String sql, Object... values) {
        return new FriendSet(
                new LinkedHashSet<>(jdbc.query(sql, (row, _) -> row.getString(1), values)));
    }

    /**
     * Reads which of these users have a reaction on each entity; an entity without a row is
     * missing.
     */
    Map<EntityKey, StoredFriends> friends(FriendSet friends, List<EntityKey> keys) {
        return onEntities("?", Columns.texts(friends.ids()), keys);
    }

    /** Reads the same of all friends of a user, whose ids stay in Postgres. */
    Map<EntityKey, StoredFriends> friendsOf(String user, List<EntityKey> keys) {
        return onEntities("array(select friend_id from friendship where user_id = ?)", user, keys);
    }

    private Map<EntityKey, StoredFriends> onEntities(
            String ids, Object value, List<EntityKey> keys) {
        var found = new HashMap<EntityKey, StoredFriends>();
        String statement = FRIENDS.replace(":friends", ids);
        shards.each(keys, some -> read(statement, value, List.copyOf(some), found));
        return found;
    }

    private void read(
            String statement,
            Object value,
            List<EntityKey> keys,
            Map<EntityKey, StoredFriends> found) {
        jdbc.query(
                Narrowed.sql(statement),
                row -> {
                    long total = row.getLong(4);
                    String state = Views.state(row.getLong(2), row.getLong(3));
                    var here =
                            found.computeIfAbsent(
                                    keys.get(row.getInt(1) - 1),
                                    _ ->
                                            new StoredFriends(
                                                    state,
                                                    total,
                                                    new HashMap<>(),
                                                    new ArrayList<>()));
                    if (total > 0) {
                        here.totals().put(row.getString(6), row.getLong(8));
                        add(row, here.people());
                    }
                },
                Columns.texts(keys, EntityKey::namespace),
                Columns.texts(keys, EntityKey::entity),
                value,
                FEW,
                FEW);
    }

    /** Reads names and avatars; a user without any is missing. */
    Map<String, Profile> profiles(Collection<String> users) {
        var found = new HashMap<String, Profile>();
        jdbc.query(
                "select user_id, display_name, avatar_url from user_profile where user_id = any(?)",
                row -> {
                    found.put(row.getString(1), new Profile(row.getString(2), row.getString(3)));
                },
                Columns.texts(users));
        return found;
    }

    /** Adds a reaction, whose user is the last of these or comes next. */
    private static void add(ResultSet row, List<StoredPerson> people) throws SQLException {
        String user = row.getString(5);
        String reaction = row.getString(6);
        if (user == null || reaction == null) {
            return;
        }
        if (people.isEmpty() || !people.getLast().user().equals(user)) {
            people.add(new StoredPerson(user, new ArrayList<>(1)));
        }
        people.getLast().given().add(new GivenReaction(reaction, row.getLong(7)));
    }
}
