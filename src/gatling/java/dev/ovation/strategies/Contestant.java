package dev.ovation.strategies;

import dev.ovation.embedded.DurablePostgres;
import dev.ovation.rules.reader.ConfigurationFiles;
import dev.ovation.simulation.Config;
import dev.ovation.simulation.Service;

import org.springframework.util.FileSystemUtils;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One of the compared services, on a fresh copy of its filled database on the shared Postgres.
 * System properties: {@code strategy.rows} (1,000,000) on entities outside of the topics, {@code
 * strategy.rows.within} (20,000) on those of the topics, {@code strategy.pool} connections to
 * Postgres, {@code strategy.refresh} of the materialized view.
 */
public final class Contestant {

    /** Name of the product in the comparison. */
    public static final String OVATION = "ovation";

    /** The strategy whose counts may be older than a user's own reactions. */
    public static final String LAGGING = "async-join";

    private static final Path FOLDER = Path.of("target", "strategies");

    private Contestant() {}

    /**
     * Starts a service.
     *
     * @param name of a strategy, or {@link #OVATION}, which gets an embedded Redis of its own
     * @param config whose topics are filled; all of one namespace of {@link Service#rules()}
     * @param jvmFlags beside those that all have
     */
    public static Service start(String name, Config config, List<String> jvmFlags) {
        var schema =
                name.equals(OVATION) ? new OvationSchema() : Strategies.named(name, null, null);
        Path rules = Service.rules();
        try {
            var postgres = DurablePostgres.start(FOLDER.toAbsolutePath());
            String url =
                    new Databases(postgres.url(), postgres.password())
                            .copy(schema, population(rules, config));
            var settings = new ArrayList<String>();
            settings.add("spring.datasource.url=" + url);
            settings.add("spring.datasource.username=postgres");
            settings.add("spring.datasource.password=" + postgres.password());
            if (name.equals(OVATION)) {
                return Service.ovation(jvmFlags, settings);
            }
            settings.add("strategies.name=" + name);
            settings.add("ovation.config-dir=" + rules);
            settings.add("strategies.report=" + FOLDER.resolve("staleness.json").toAbsolutePath());
            add(settings, "strategies.pool", System.getProperty("strategy.pool"));
            add(settings, "strategies.refresh", System.getProperty("strategy.refresh"));
            return Service.start(StrategyApplication.class, jvmFlags, settings);
        } finally {
            remove(rules);
        }
    }

    private static Population population(Path rules, Config config) {
        var namespaces =
                config.topics().stream().map(Config.Topics::namespaceId).distinct().toList();
        var rulesOfAll = ConfigurationFiles.read(rules).configuration();
        if (namespaces.size() != 1 || rulesOfAll.namespace(namespaces.getFirst()) == null) {
            throw new IllegalArgumentException(
                    "topics must be of one known namespace: " + namespaces);
        }
        return new Population(
                namespaces.getFirst(),
                Population.kinds(rulesOfAll.namespace(namespaces.getFirst())),
                Long.getLong("strategy.rows", 1_000_000),
                topics(config.topics()),
                Long.getLong("strategy.rows.within", 20_000));
    }

    private static List<Population.Topic> topics(List<Config.Topics> kinds) {
        return IntStream.range(0, kinds.size())
                .boxed()
                .flatMap(
                        i ->
                                IntStream.range(0, kinds.get(i).count())
                                        .mapToObj(j -> "topic_" + i + "_" + j)
                                        .map(id -> new Population.Topic(id, kinds.get(i).size())))
                .toList();
    }

    private static void add(List<String> settings, String name, String value) {
        if (value != null && !value.isEmpty()) {
            settings.add(name + "=" + value);
        }
    }

    /** Removes a folder that only the start reads. */
    private static void remove(Path folder) {
        try {
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
