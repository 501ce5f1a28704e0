package dev.ovation.crowd;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A user with the reactions that place them in a list.
 *
 * @param name null for one who has none
 * @param reactions newest first, at least one
 * @param friend whether the viewer's friend; false without a viewer
 */
record Reactor(String user, @Nullable String name, List<Given> reactions, boolean friend) {

    /**
     * A reaction that a user gave.
     *
     * @param reaction its key
     * @param at in microseconds since 1970
     */
    record Given(String reaction, long at) {}

    /** When the newest of the reactions was given, in microseconds since 1970. */
    long at() {
        return reactions.getFirst().at;
    }

    /** From the columns {@code user_id, display_name, reactions, times, friend}. */
    static Reactor of(ResultSet row, int index) throws SQLException {
        var reactions = (String[]) row.getArray("reactions").getArray();
        var times = (Long[]) row.getArray("times").getArray();
        var given = new ArrayList<Given>(reactions.length);
        for (int i = 0; i < reactions.length; i++) {
            given.add(new Given(reactions[i], times[i]));
        }
        return new Reactor(
                row.getString("user_id"),
                row.getString("display_name"),
                List.copyOf(given),
                row.getBoolean("friend"));
    }
}
