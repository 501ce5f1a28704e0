package dev.ovation.store.snapshot;

import dev.ovation.entity.EntityKey;
import dev.ovation.entity.UserOfEntity;
import dev.ovation.store.Columns;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the committed reactions of users on entities. */
@Repository
public class UserStates {

    private final JdbcTemplate jdbc;
    private final Shards shards;

    /** Creates a reader of these shards. */
    public UserStates(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = jdbc;
        this.shards = shards;
    }

    /**
     * The reactions of a user on an entity.
     *
     * @param version version of the entity at that instant; 0 before its first change
     * @param reactions oldest first
     */
    public record UserState(long version, List<String> reactions) {
        private static final UserState NONE = new UserState(0, List.of());
    }

    /** Reads users on entities, those of a shard all of one instant. */
    public Map<UserOfEntity, UserState> of(Collection<UserOfEntity> wanted) {
        Set<UserOfEntity> users = Set.copyOf(wanted); // without duplicates
        var found = new HashMap<UserOfEntity, UserState>();
        shards.each(users, user -> shards.partition(user.key()), some -> read(some, found));
        users.forEach(user -> found.putIfAbsent(user, UserState.NONE));
        return found;
    }

    private void read(Collection<UserOfEntity> users, Map<UserOfEntity, UserState> found) {
        jdbc.query(
                Narrowed.sql(
                        """
                        select k.namespace, k.entity, k.user_id, e.version, r.name
                        from   unnest(?, ?, ?) as k (namespace, entity, user_id)
                        join   entity e
                               on e.namespace = k.namespace and e.entity = k.entity /*on e.p*/
                        left   join lateral (
                            select reacted_at,
                                   (select x.name from reaction_name x where x.no = reaction)
                                   || coalesce(chr(28) || form, '') as name
                            from   user_reaction
                            where  p = e.p /*on p*/
                            and    user_id = k.user_id and entity_no = e.no) r on true
                        order  by r.reacted_at, r.name
                        """),
                row -> {
                    var key = new EntityKey(row.getString(1), row.getString(2));
                    var user = new UserOfEntity(key, row.getString(3));
                    long version = row.getLong(4);
                    UserState state =
                            found.computeIfAbsent(
                                    user, _ -> new UserState(version, new ArrayList<>()));
                    String reaction = row.getString(5);
                    if (reaction != null) {
                        state.reactions.add(reaction);
                    }
                },
                Columns.texts(users, user -> user.key().namespace()),
                Columns.texts(users, user -> user.key().entity()),
                Columns.texts(users, UserOfEntity::user));
    }

    /**
     * Reads the time of the newest reaction, in microseconds since 1970, of users on entities; a
     * user without any is absent.
     */
    public Map<UserOfEntity, Long> lastReactedAt(Collection<UserOfEntity> wanted) {
        Set<UserOfEntity> users = Set.copyOf(wanted); // without duplicates
        var found = new HashMap<UserOfEntity, Long>();
        shards.each(users, user -> shards.partition(user.key()), some -> readTimes(some, found));
        return found;
    }

    private void readTimes(Collection<UserOfEntity> users, Map<UserOfEntity, Long> found) {
        jdbc.query(
                Narrowed.sql(
                        """
                        select k.namespace, k.entity, k.user_id, r.last_at
                        from   unnest(?, ?, ?) as k (namespace, entity, user_id)
                        join   entity e
                               on e.namespace = k.namespace and e.entity = k.entity /*on e.p*/
                        cross  join lateral (
                            select max(reacted_at) as last_at
                            from   user_reaction
                            where  p = e.p /*on p*/
                            and    user_id = k.user_id and entity_no = e.no) r
                        where  r.last_at is not null
                        """),
                row -> {
                    var key = new EntityKey(row.getString(1), row.getString(2));
                    found.put(new UserOfEntity(key, row.getString(3)), row.getLong(4));
                },
                Columns.texts(users, user -> user.key().namespace()),
                Columns.texts(users, user -> user.key().entity()),
                Columns.texts(users, UserOfEntity::user));
    }
}
