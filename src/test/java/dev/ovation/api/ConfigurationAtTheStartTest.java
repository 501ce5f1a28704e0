package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.TestRules;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import tools.jackson.databind.JsonNode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The rules in force after a third instance has started with files of its own. */
@Isolated
@ExtendWith(OutputCaptureExtension.class)
class ConfigurationAtTheStartTest extends ApiFixture {

    private final String own = "own-" + entity;

    @TempDir Path directory;

    @Test
    void olderFilesChangeNothingAndAreReportedAsNotInForce(CapturedOutput output) {
        TestRules older = TestRules.shared().namespace(own, 1, "a").writeTo(directory);
        put(older);
        put(TestRules.shared().namespace(own, 1, "b"));
        long version = inForce(service).get("version").longValue();

        try (Instance third = TwoInstances.third(directory)) {
            JsonNode shown = inForce(third);
            assertThat(shown.get("version").longValue()).isEqualTo(version);
            assertThat(shown.at("/files/differ").booleanValue()).isTrue();
            assertThat(
                            third.get("/actuator/health")
                                    .json()
                                    .at("/components/configuration/details/files_differ")
                                    .booleanValue())
                    .isTrue();
            assertThat(output.getAll()).contains("The files in " + directory + " are not in force");
            for (Instance each : List.of(service, other, third)) {
                assertRefused(
                        each.add(own, entity, "u" + each.port(), "a"), 403, "unknown-reaction");
                assertOk(each.add(own, entity, "u" + each.port(), "b"));
            }
        }
    }

    @Test
    void withNewFilesPutsThemInForceEverywhere() {
        put(TestRules.shared());
        TestRules.shared().namespace(own, 1, "c").writeTo(directory);

        try (Instance third = TwoInstances.third(directory)) {
            assertThat(inForce(third).at("/files/differ").booleanValue()).isFalse();
            assertOk(third.add(own, entity, "ann", "c"));
            Wait.until(
                    "the others have the new rules",
                    () -> other.add(own, entity, "ben", "c", "if_exists=ok").status() == 200);
        } finally {
            put(TestRules.shared());
        }
    }

    @Test
    void withNewFilesThatLoseReactionsKeepsTheStoredVersion(CapturedOutput output) {
        put(TestRules.shared().namespace(own, 1, "a"));
        assertOk(service.add(own, entity, "ann", "a"));
        TestRules.shared().namespace("new-" + entity, 1, "c").writeTo(directory);

        try (Instance third = TwoInstances.third(directory)) {
            assertThat(output.getAll()).contains("lack namespaces that hold reactions: [" + own);
            assertThat(inForce(third).at("/files/differ").booleanValue()).isTrue();
            assertOk(third.add(own, entity, "ben", "a"));
        } finally {
            put(TestRules.shared());
        }
    }

    @Test
    void withBrokenFilesKeepsTheStoredVersion() throws Exception {
        put(TestRules.shared().namespace(own, 1, "d"));
        TestRules.shared().writeTo(directory);
        Files.writeString(directory.resolve("namespaces.yaml"), "\n- id: [");

        try (Instance third = TwoInstances.third(directory)) {
            assertOk(third.add(own, entity, "ann", "d"));
            assertThat(texts(inForce(third).at("/files/violations")))
                    .anySatisfy(line -> assertThat(line).startsWith("namespaces.yaml:"));
        }
    }

    @Test
    void withBrokenFilesAndNoStoredVersionFailsWithASentence(CapturedOutput output)
            throws Exception {
        TestRules.shared().writeTo(directory);
        Files.writeString(
                directory.resolve("namespaces.yaml"),
                "- id: n\n  reaction_set_id: nowhere\n  max_uniq_reactions: 1\n");

        try (var redis = RedisProcess.start()) {
            String database = TestPostgres.url();
            assertThatThrownBy(
                    () -> Instance.start(database, redis.uri(), directory, Patience.LONG));
        }
        assertThat(output.getAll())
                .contains("The configuration files are invalid")
                .contains("namespaces.yaml:2: ")
                .doesNotContain("InvalidConfigurationException:");
    }
}
