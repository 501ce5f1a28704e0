package dev.ovation.namespace;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** What the tests of this package share. */
final class Fixture {

    static final Path RESOURCES = Path.of("src/test/resources/namespace");
    static final Path GOOD = RESOURCES.resolve("good");

    private Fixture() {}

    static Configuration good() {
        return ConfigurationFiles.read(GOOD).configuration();
    }

    static Configuration yaml(String body) {
        return ConfigurationBody.yaml(bytes(body)).configuration();
    }

    static Configuration json(String body) {
        return ConfigurationBody.json(bytes(body)).configuration();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** As {@code file:line: message}. */
    static List<String> violations(ThrowingCallable reading) {
        return catchThrowableOfType(InvalidConfigurationException.class, reading)
                .violations()
                .stream()
                .map(Violation::toString)
                .toList();
    }
}
