package dev.ovation.crowd;

import dev.ovation.configuration.RulesInForce;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A user with the reactions that place them in a list.
 *
 * @param name null for a user without a name
 * @param reactions newest first, at least one
 * @param friend whether the user is a friend of the viewer; false without a viewer
 */
public record ListedReactor(
        String user, @Nullable String name, List<ListedReaction> reactions, boolean friend) {

    /**
     * A reaction that a user gave.
     *
     * @param reaction its key, or its spelling in an answer
     * @param at time of the reaction, in microseconds since 1970
     */
    public record ListedReaction(String reaction, long at) {}

    /** Returns the time of the newest reaction, in microseconds since 1970. */
    long at() {
        return reactions.getFirst().at;
    }

    /** Returns the same user, with reactions as the configuration spells them. */
    ListedReactor spelled(RulesInForce rules) {
        List<ListedReaction> spelled =
                reactions.stream()
                        .map(each -> new ListedReaction(rules.spelling(each.reaction), each.at))
                        .toList();
        return new ListedReactor(user, name, spelled, friend);
    }

    /** Reads the columns {@code user_id, display_name, reactions, times, friend}. */
    static ListedReactor of(ResultSet row, int index) throws SQLException {
        var reactions = (String[]) row.getArray("reactions").getArray();
        var times = (Long[]) row.getArray("times").getArray();
        var given = new ArrayList<ListedReaction>(reactions.length);
        for (int i = 0; i < reactions.length; i++) {
            given.add(new ListedReaction(reactions[i], times[i]));
        }
        return new ListedReactor(
                row.getString("user_id"),
                row.getString("display_name"),
                List.copyOf(given),
                row.getBoolean("friend"));
    }
}
