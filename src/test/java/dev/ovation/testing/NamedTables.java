package dev.ovation.testing;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Lets tests write rows of {@code named_entity}, {@code named_counter} and {@code named_reaction}
 * by names, without the service.
 */
public final class NamedTables {

    private NamedTables() {}

    /** Makes the views of a database writable; called once for a database. */
    public static void install(JdbcTemplate jdbc) {
        jdbc.execute(text("partition-of.sql"));
        jdbc.execute(text("dev/ovation/testing/named-tables.sql"));
    }

    private static String text(String path) {
        try {
            return new ClassPathResource(path).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
