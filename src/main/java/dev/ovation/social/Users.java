package dev.ovation.social;

import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.repository.query.Modifying;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.Repository;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Tables {@code user_profile}, names and pictures to show, and {@code friendship}. Users need no
 * profile, and are not created. A friendship has two rows at every commit. The statements that add
 * and remove it lock the row of the lesser user first, so that a friendship that is added and
 * removed at the same time is not halved. Postgres determines the order, because it compares bytes
 * and Java does not.
 */
interface Users extends Repository<Users.User, String> {

    /** A user with the name and the address of the picture to show; null when none is stored. */
    @Table("user_profile")
    record User(@Id String userId, @Nullable String displayName, @Nullable String avatarUrl) {
        static User withoutProfile(String userId) {
            return new User(userId, null, null);
        }
    }

    /** Finds a user with a profile. */
    Optional<User> findById(String user);

    /**
     * Finds those users that have a profile.
     *
     * @param users at least one
     */
    @Query("select user_id, display_name, avatar_url from user_profile where user_id in (:users)")
    List<User> find(Collection<String> users);

    /** Removes the profile of a user. */
    @Modifying
    @Query("delete from user_profile where user_id = :user")
    void removeProfile(String user);

    /** Replaces the profile of a user; not both are null. */
    @Modifying
    @Query(
            """
            insert into user_profile as u (user_id, display_name, avatar_url)
            values (:user, :name, :avatar)
            on conflict (user_id)
            do update set display_name = excluded.display_name, avatar_url = excluded.avatar_url
            where  (u.display_name, u.avatar_url)
                   is distinct from (excluded.display_name, excluded.avatar_url)
            """)
    void setProfile(String user, @Nullable String name, @Nullable String avatar);

    /**
     * Lists friends by id.
     *
     * @param from id after which the list starts
     * @param limit greatest number of friends
     */
    @Query(
            """
            select f.friend_id as user_id, p.display_name, p.avatar_url
            from   friendship f
            left   join user_profile p on p.user_id = f.friend_id
            where  f.user_id = :user and f.friend_id > :from
            order  by f.friend_id
            limit  :limit
            """)
    List<User> friends(String user, String from, int limit);

    /** Makes two users friends; an update of nothing locks existing rows. */
    @Modifying
    @Query(
            """
            insert into friendship (user_id, friend_id)
            select a, b from (values (:user, :friend), (:friend, :user)) pair (a, b)
            order by a collate "C"
            on conflict (user_id, friend_id)
            do update set friend_id = excluded.friend_id where false
            """)
    void befriend(String user, String friend);

    /** Ends the friendship of two users. */
    @Modifying
    @Query(
            """
            with pair as materialized (
                select user_id, friend_id
                from   friendship
                where  (user_id, friend_id) in ((:user, :friend), (:friend, :user))
                order  by user_id
                for    update
            )
            delete from friendship f using pair
            where  f.user_id = pair.user_id and f.friend_id = pair.friend_id
            """)
    void unfriend(String user, String friend);
}
