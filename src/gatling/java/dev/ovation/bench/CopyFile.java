package dev.ovation.bench;

import org.postgresql.PGConnection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** Copies a CSV file into a table: {@code <jdbc url> <table> <file>}; prints the rate. */
final class CopyFile {

    private CopyFile() {}

    public static void main(String... arguments) throws SQLException, IOException {
        try (var connection = Servers.connect(arguments[0]);
                var file = Files.newInputStream(Path.of(arguments[2]))) {
            long start = System.nanoTime();
            long rows =
                    connection
                            .unwrap(PGConnection.class)
                            .getCopyAPI()
                            .copyIn(
                                    "copy %s from stdin csv header".formatted(arguments[1]),
                                    file,
                                    1 << 16);
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf("rows_per_s\t%.0f%nerrors\t0%n", rows / seconds);
        }
    }
}
