package dev.ovation.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The settings for operators are those of {@code application.yaml}. Each has an environment
 * variable, a comment, metadata for IDEs, a row in {@code docs/operations.md} and, where values can
 * be wrong, a check.
 */
class SettingsTest {

    private static final String METADATA = "META-INF/spring-configuration-metadata.json";
    private static final String INTERNAL = "ovation.internal";
    private static final int FEWEST = 28;
    private static final int MOST = 40;

    /** A map, whose entries are properties of their own without environment variables. */
    private static final String ENDPOINTS = "ovation.access.endpoints";

    @Test
    void eachHasTheEnvironmentVariableOfItsName() throws IOException {
        settings()
                .forEach(
                        (name, value) -> {
                            if (!name.equals(ENDPOINTS)) {
                                assertThat(value).startsWith("${" + variable(name) + ":");
                            }
                        });
    }

    @Test
    void eachHasAComment() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("src/main/resources/application.yaml"));
        int found = 0;
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).contains(": ${OVATION_") && !lines.get(i).contains("HTTP2")) {
                found++;
                assertThat(lines.get(i - 1)).as(lines.get(i)).containsPattern("^ +# \\S");
            }
        }
        assertThat(found).isBetween(FEWEST, MOST);
    }

    @Test
    void eachHasMetadataWithADescriptionAndTheSameDefault() throws IOException {
        Map<String, JsonNode> metadata = metadata();
        settings()
                .forEach(
                        (name, value) -> {
                            assertThat(metadata).containsKey(name);
                            JsonNode about = metadata.get(name);
                            assertThat(about.at("/description").asString(""))
                                    .as(name)
                                    .matches("(?s)[A-Z].{10,}\\.")
                                    .doesNotContain("{@");
                            if (!name.equals(ENDPOINTS)) {
                                assertThat(value)
                                        .isEqualTo("${" + variable(name) + ":" + text(about) + "}");
                            }
                        });
    }

    @Test
    void noOtherSettingHasMetadataExceptInternalOnes() throws IOException {
        assertThat(
                        metadata().keySet().stream()
                                .filter(name -> name.startsWith("ovation."))
                                .filter(name -> !name.startsWith(INTERNAL))
                                .collect(Collectors.toSet()))
                .isEqualTo(settings().keySet());
    }

    @Test
    void theManualNamesEach() throws IOException {
        String manual = Files.readString(Path.of("docs/operations.md"));
        String section = manual.substring(manual.indexOf("\n## Settings\n"));
        String table = section.substring(0, section.indexOf("\n## Bounds\n"));
        assertThat(settings().keySet())
                .allSatisfy(
                        name ->
                                assertThat(table)
                                        .contains(
                                                name.equals(ENDPOINTS)
                                                        ? "`" + name + "`"
                                                        : "`" + variable(name) + "`"));
    }

    @Test
    void internalSettingsAreInternal() throws IOException {
        assertThat(metadata().keySet()).filteredOn(name -> name.startsWith(INTERNAL)).isNotEmpty();
        assertThat(settings().keySet()).noneMatch(name -> name.startsWith(INTERNAL));
        assertThat(Files.readString(Path.of("docs/operations.md")))
                .doesNotContain(INTERNAL)
                .doesNotContain("OVATION_INTERNAL");
    }

    /** A variable of the manual is one of a setting; renamed settings leave no old name behind. */
    @Test
    void theManualsNameNoOthers() throws IOException {
        var known = settings().keySet().stream().map(SettingsTest::variable).toList();
        var named = Pattern.compile("`(OVATION_[A-Z0-9_]+)(?:=[^`]*)?`");
        int found = 0;
        for (String file : List.of("operations", "guarantees", "security", "migrating", "api")) {
            String text = Files.readString(Path.of("docs", file + ".md"));
            for (var match : named.matcher(text).results().toList()) {
                found++;
                assertThat(match.group(1))
                        .as(file)
                        .satisfiesAnyOf(
                                name -> assertThat(known).contains(name),
                                name ->
                                        assertThat(name)
                                                .isIn(
                                                        "OVATION_HTTP_HTTP2",
                                                        "OVATION_KEY",
                                                        "OVATION_URL"));
            }
        }
        assertThat(found).isGreaterThan(FEWEST);
    }

    @ParameterizedTest
    @CsvSource({
        "ovation.embedded.postgres-port, -1",
        "ovation.embedded.redis-port, 65536",
        "ovation.cors.allowed-origins, example.com",
        "ovation.requests.reads, 0",
        "ovation.requests.writes, 0",
        "ovation.requests.deadline, 0s",
        "ovation.http.max-body, 0B",
        "ovation.http.max-body, 2GB",
        "ovation.http.counts-max-age, -1s",
        "ovation.http.rules-max-age, -1s",
        "ovation.live.watchers, 0",
        "ovation.postgres.replica.url, localhost",
        "ovation.postgres.replica.max-staleness, 999ms",
        "ovation.postgres.replica.max-staleness, 601s",
        "ovation.near-cache.max-age, -1ms",
        "ovation.hot.ttl, 0s",
        "ovation.relay.answer-retention, 0s",
        "ovation.events.retention, 0s",
        "ovation.background.share, 0",
        "ovation.audit.rate, -1",
        "ovation.jobs.retention, 0d"
    })
    void aWrongValueEndsTheStartWithTheNameOfItsSetting(String name, String value)
            throws Exception {
        JsonNode about = metadata().get(name);
        assertThat(about).as(name).isNotNull();
        var type = Class.forName(about.at("/sourceType").asString());
        String prefix = type.getAnnotation(ConfigurationProperties.class).value();
        var binder = new Binder(new MapConfigurationPropertySource(Map.of(name, value)));

        assertThatThrownBy(() -> binder.bindOrCreate(prefix, Bindable.of(type)))
                .rootCause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
    }

    private static String variable(String name) {
        return name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /** Settings with their values, placeholders included. */
    private static Map<String, String> settings() throws IOException {
        var settings = new TreeMap<String, String>();
        for (PropertySource<?> source :
                new YamlPropertySourceLoader()
                        .load("defaults", new ClassPathResource("application.yaml"))) {
            for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
                if (name.startsWith("ovation.")) {
                    settings.put(
                            name.startsWith(ENDPOINTS + ".") ? ENDPOINTS : name,
                            "" + source.getProperty(name));
                }
            }
        }
        assertThat(settings).hasSizeBetween(FEWEST, MOST);
        return settings;
    }

    private static Map<String, JsonNode> metadata() throws IOException {
        var metadata = new HashMap<String, JsonNode>();
        JsonNode all;
        try (var file = SettingsTest.class.getClassLoader().getResourceAsStream(METADATA)) {
            all = JsonMapper.shared().readTree(file);
        }
        all.at("/properties")
                .valueStream()
                .filter(each -> each.at("/name").asString().startsWith("ovation."))
                .forEach(each -> metadata.put(each.at("/name").asString(), each));
        return metadata;
    }

    /** The default as in {@code application.yaml}; the metadata has lists as {@code [a, b]}. */
    private static String text(JsonNode about) {
        return about.at("/defaultValue").asString("").replaceAll("^\\[|]$", "").replace(", ", ",");
    }
}
