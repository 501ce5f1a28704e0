package dev.ovation.start;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ClassPathResource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds properties under {@code ovation} that are no settings, so that the default of a misspelt
 * setting does not pass for its value. The settings are those of {@code application.yaml} in the
 * jar.
 */
final class UnknownSettings {

    private static final Logger LOG = LoggerFactory.getLogger(UnknownSettings.class);
    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("ovation");

    /** Names below these are free. */
    private static final List<ConfigurationPropertyName> OPEN =
            List.of(
                    ConfigurationPropertyName.of("ovation.internal"),
                    ConfigurationPropertyName.of("ovation.access.endpoints"));

    private static final Pattern OPEN_VARIABLES =
            Pattern.compile("OVATION_(INTERNAL|ACCESS_ENDPOINTS)_.+");

    /** Variables of the command line, and of a setting under {@code server}. */
    private static final Set<String> OTHER_VARIABLES =
            Set.of("OVATION_URL", "OVATION_KEY", "OVATION_HTTP_HTTP2");

    /** Variables that Kubernetes sets in each pod for a service named ovation. */
    private static final Pattern SERVICE_LINKS = Pattern.compile("OVATION_(SERVICE|PORT)(_.+)?");

    private static final Pattern INDEX = Pattern.compile("_[0-9]+_?$");

    private final Set<ConfigurationPropertyName> settings;

    private UnknownSettings(Set<ConfigurationPropertyName> settings) {
        this.settings = settings;
    }

    /**
     * Checks all names. An unknown environment variable is only logged, because other programs may
     * share the environment.
     *
     * @throws UnknownSettingsException naming each unknown property, its origin and the nearest
     *     setting
     */
    static void check(ConfigurableEnvironment environment) {
        var known = new UnknownSettings(settings());
        known.checkVariables(environment);
        Collection<String> unknown = known.unknown(environment);
        if (!unknown.isEmpty()) {
            throw new UnknownSettingsException(String.join("\n", unknown));
        }
    }

    private static Set<ConfigurationPropertyName> settings() {
        try {
            var names = new LinkedHashSet<ConfigurationPropertyName>();
            for (PropertySource<?> source :
                    new YamlPropertySourceLoader()
                            .load("settings", new ClassPathResource("application.yaml"))) {
                for (String name : ((EnumerablePropertySource<?>) source).getPropertyNames()) {
                    if (name.startsWith(ROOT + ".")) {
                        names.add(ConfigurationPropertyName.of(name));
                    }
                }
            }
            return names;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Collection<String> unknown(ConfigurableEnvironment environment) {
        var found = new LinkedHashMap<ConfigurationPropertyName, String>();
        for (ConfigurationPropertySource source :
                ConfigurationPropertySources.from(environment.getPropertySources())) {
            if (source instanceof IterableConfigurationPropertySource names
                    && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
                for (ConfigurationPropertyName name : names) {
                    if (ROOT.isAncestorOf(name) && !isKnown(name)) {
                        found.putIfAbsent(name, describe(name, names));
                    }
                }
            }
        }
        return found.values();
    }

    private boolean isKnown(ConfigurationPropertyName name) {
        return settings.contains(name)
                || (name.isLastElementIndexed() && settings.contains(name.getParent()))
                || OPEN.stream().anyMatch(open -> open.isAncestorOf(name));
    }

    private String describe(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        var property = source.getConfigurationProperty(name);
        String from =
                property == null || property.getOrigin() == null
                        ? ""
                        : " (" + property.getOrigin() + ")";
        return "%s%s is no setting; the nearest name is %s"
                .formatted(
                        name,
                        from,
                        nearest(
                                name.toString(),
                                settings.stream()
                                        .map(ConfigurationPropertyName::toString)
                                        .toList()));
    }

    private void checkVariables(ConfigurableEnvironment environment) {
        Map<String, String> variables =
                settings.stream()
                        .map(ConfigurationPropertyName::toString)
                        .collect(
                                Collectors.toMap(
                                        UnknownSettings::withoutSigns, UnknownSettings::variable));
        environment.getPropertySources().stream()
                .filter(SystemEnvironmentPropertySource.class::isInstance)
                .map(SystemEnvironmentPropertySource.class::cast)
                .flatMap(source -> Arrays.stream(source.getPropertyNames()))
                .filter(name -> name.startsWith("OVATION_"))
                .filter(name -> !OTHER_VARIABLES.contains(name))
                .filter(name -> !OPEN_VARIABLES.matcher(name).matches())
                .filter(name -> !SERVICE_LINKS.matcher(name).matches())
                .filter(
                        name ->
                                !variables.containsKey(
                                        withoutSigns(INDEX.matcher(name).replaceFirst(""))))
                .forEach(
                        name ->
                                LOG.warn(
                                        "Variable {} is no setting; the nearest name is {}",
                                        name,
                                        nearest(name, variables.values())));
    }

    private static String variable(String name) {
        return name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    private static String withoutSigns(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[._-]", "");
    }

    private static String nearest(String name, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt(other -> distance(name, other)))
                .orElseThrow();
    }

    /** Returns how many characters must be inserted, deleted or replaced to make b of a. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j - 1], row[j]));
            }
        }
        return row[b.length()];
    }
}
