package dev.ovation.embedded.server;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

import java.util.List;

/**
 * A server that the service needs: the settings of its address, and the class that can embed it.
 */
public enum BackingService {
    POSTGRES(
            "Postgres",
            "SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and SPRING_DATASOURCE_PASSWORD",
            "io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver",
            List.of("spring.datasource.url", "spring.datasource.jndi-name")),
    REDIS(
            "Redis",
            "SPRING_DATA_REDIS_URL",
            "redis.embedded.core.ExecutableProvider",
            List.of(
                    "spring.data.redis.url",
                    "spring.data.redis.host",
                    "spring.data.redis.port",
                    "spring.data.redis.sentinel.nodes",
                    "spring.data.redis.cluster.nodes",
                    "spring.data.redis.masterreplica.nodes"));

    private final String title;
    private final String variables;
    private final String embeddingClass;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> addressProperties;

    BackingService(
            String title, String variables, String embeddingClass, List<String> addressProperties) {
        this.title = title;
        this.variables = variables;
        this.embeddingClass = embeddingClass;
        this.addressProperties = addressProperties;
    }

    /**
     * Returns whether one of Spring's standard settings has the address of this server; a blank one
     * does not count.
     */
    public boolean hasAddress(Environment environment) {
        Binder binder = Binder.get(environment);
        return addressProperties.stream()
                .anyMatch(
                        name ->
                                isSet(
                                        binder.bind(name, Bindable.listOf(String.class))
                                                .orElse(List.of())));
    }

    private static boolean isSet(List<String> values) {
        return values.stream().anyMatch(value -> !value.isBlank());
    }

    /**
     * Returns whether the class path can start this server: true in a checkout, false in the
     * packaged jar.
     */
    public boolean isEmbeddable(@Nullable ClassLoader classes) {
        return ClassUtils.isPresent(embeddingClass, classes);
    }

    /** Returns the names of the settings of this server's address, as the object of "set". */
    public String howToSet() {
        return variables + " for " + title;
    }

    @Override
    public String toString() {
        return title;
    }
}
