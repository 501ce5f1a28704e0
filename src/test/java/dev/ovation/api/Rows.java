package dev.ovation.api;

import dev.ovation.testing.TwoInstances;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Access to Postgres, past the service. */
final class Rows {

    private Rows() {}

    /** The number of people of an entity, as it is stored. */
    static long people(String namespace, String entity) throws SQLException {
        return ofEntity("people", namespace, entity);
    }

    /** The version of an entity, as it is stored. */
    static long version(String namespace, String entity) throws SQLException {
        return ofEntity("version", namespace, entity);
    }

    private static long ofEntity(String column, String namespace, String entity)
            throws SQLException {
        try (var connection = TwoInstances.database();
                var statement =
                        connection.prepareStatement(
                                "select %s from entity where namespace = ? and entity = ?"
                                        .formatted(column))) {
            statement.setString(1, namespace);
            statement.setString(2, entity);
            try (var result = statement.executeQuery()) {
                return result.next() ? result.getLong(1) : 0;
            }
        }
    }

    /** The reactions of an entity, as in {@code ann 👍}, sorted by user and reaction. */
    static List<String> of(String namespace, String entity) throws SQLException {
        try (var connection = TwoInstances.database();
                var statement =
                        connection.prepareStatement(
                                """
                                select   user_id || ' ' || reaction
                                from     named_reaction
                                where    namespace = ? and entity = ?
                                order by user_id, reaction
                                """)) {
            statement.setString(1, namespace);
            statement.setString(2, entity);
            var rows = new ArrayList<String>();
            try (var result = statement.executeQuery()) {
                while (result.next()) {
                    rows.add(result.getString(1));
                }
            }
            return rows;
        }
    }
}
