package dev.ovation.rules.reader;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ovation.rules.RuleSet;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Shared methods of the tests of this package. */
public final class RulesFixture {

    public static final Path RESOURCES = Path.of("src/test/resources/namespace");
    public static final Path GOOD = RESOURCES.resolve("good");

    private RulesFixture() {}

    public static RuleSet good() {
        return ConfigurationFiles.read(GOOD).configuration();
    }

    public static RuleSet yaml(String body) {
        return ConfigurationBody.yaml(bytes(body)).configuration();
    }

    public static RuleSet json(String body) {
        return ConfigurationBody.json(bytes(body)).configuration();
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** As {@code file:line: message}. */
    public static List<String> violations(ThrowingCallable reading) {
        return catchThrowableOfType(InvalidConfigurationException.class, reading)
                .violations()
                .stream()
                .map(DocumentViolation::toString)
                .toList();
    }
}
