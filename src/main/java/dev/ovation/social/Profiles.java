package dev.ovation.social;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

import java.util.Optional;

/** Table {@code user_profile}: names to show. Users need none, and are not created. */
@Repository
class Profiles {

    private final JdbcTemplate jdbc;

    Profiles(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns a user's name. */
    Optional<String> find(String user) {
        return jdbc
                .query(
                        "select display_name from user_profile where user_id = ?",
                        (row, _) -> row.getString(1),
                        user)
                .stream()
                .findFirst();
    }

    /** Gives a user a name; null takes it away. */
    @Transactional
    public void name(String user, @Nullable String name) {
        if (name == null) {
            jdbc.update("delete from user_profile where user_id = ?", user);
            return;
        }
        jdbc.update(
                """
                insert into user_profile as u (user_id, display_name) values (?, ?)
                on conflict (user_id) do update set display_name = excluded.display_name
                where  u.display_name <> excluded.display_name
                """,
                user,
                name);
    }
}
