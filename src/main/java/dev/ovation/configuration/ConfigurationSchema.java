package dev.ovation.configuration;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The JSON Schemas of the three files. They describe what each file alone must look like; the
 * reader also checks references, repetitions and lengths in bytes.
 */
public enum ConfigurationSchema {
    NAMESPACES,
    REACTION_SETS,
    REACTIONS;

    /** Returns the schema of a file, by its name without {@code .yaml}; empty for another name. */
    public static Optional<ConfigurationSchema> of(String name) {
        return Arrays.stream(values()).filter(each -> each.label().equals(name)).findFirst();
    }

    /** Returns the name of the file without {@code .yaml}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the schema, JSON in UTF-8. */
    public byte[] json() {
        try (InputStream in =
                ConfigurationSchema.class.getResourceAsStream(label() + ".schema.json")) {
            return Objects.requireNonNull(in).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
