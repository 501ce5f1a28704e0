package dev.ovation.bench;

import java.sql.SQLException;
import java.util.Arrays;

/**
 * Runs statements, each in a transaction of its own: {@code <jdbc url> <statement>…}. Prints the
 * first column of the rows of queries.
 */
final class Sql {

    private Sql() {}

    public static void main(String... arguments) throws SQLException {
        try (var connection = Servers.connect(arguments[0]);
                var statement = connection.createStatement()) {
            for (String sql : Arrays.asList(arguments).subList(1, arguments.length)) {
                boolean query = statement.execute(sql);
                for (var rows = statement.getResultSet(); query && rows.next(); ) {
                    IO.println(rows.getString(1));
                }
            }
        }
    }
}
