package dev.ovation.trace;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.trace.samplers.Sampler;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Begins traces by the tracer of Spring Boot, if there is one; see {@link TraceImports}. */
@Configuration(proxyBeanMethods = false)
class TraceConfiguration {

    @Bean
    Tracing tracing(
            ObjectProvider<Tracer> tracer,
            @Value("${management.tracing.sampling.probability}") double share) {
        Tracer known = tracer.getIfAvailable();
        return known == null ? Tracing.OFF : new Tracing(known, share);
    }

    /** Spans begin only for sampled requests. */
    @Bean
    Sampler sampled() {
        return Sampler.alwaysOn();
    }
}
