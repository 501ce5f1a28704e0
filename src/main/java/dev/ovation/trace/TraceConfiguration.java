package dev.ovation.trace;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.trace.samplers.Sampler;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Begins traces by the tracer of Spring Boot, if there is one; see {@link TraceImports}. */
@Configuration(proxyBeanMethods = false)
class TraceConfiguration {

    /** Before all other beans, so that the start does not wait for servers first. */
    @Bean
    static BeanFactoryPostProcessor usableTraceSettings(Environment environment) {
        return _ -> {
            var _ = TraceSettings.share(environment);
        };
    }

    @Bean
    Tracing tracing(ObjectProvider<Tracer> tracer, Environment environment) {
        Tracer known = tracer.getIfAvailable();
        return known == null ? Tracing.OFF : new Tracing(known, TraceSettings.share(environment));
    }

    /** Spans begin only for sampled requests. */
    @Bean
    Sampler sampled() {
        return Sampler.alwaysOn();
    }
}
