package dev.ovation.start;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.info.GitProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.Objects;

/** Metric {@code ovation.build.info}: the version of the program and its commit, as labels. */
@Configuration(proxyBeanMethods = false)
class BuildMetrics {

    private static final String UNKNOWN = "unknown";

    @Bean
    MeterBinder buildInfo(
            ObjectProvider<BuildProperties> build, ObjectProvider<GitProperties> commit) {
        BuildProperties program = build.getIfAvailable();
        GitProperties source = commit.getIfAvailable();
        String version = program == null ? null : program.getVersion();
        String revision = source == null ? null : source.getCommitId();
        return registry ->
                Gauge.builder("ovation.build.info", () -> 1)
                        .description("1; the labels are version and commit of the program")
                        .tag("version", Objects.requireNonNullElse(version, UNKNOWN))
                        .tag("revision", Objects.requireNonNullElse(revision, UNKNOWN))
                        .register(registry);
    }
}
