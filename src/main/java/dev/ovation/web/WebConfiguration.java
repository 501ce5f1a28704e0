package dev.ovation.web;

import dev.ovation.entity.TimeBuckets;
import dev.ovation.trace.Tracing;
import dev.ovation.web.guard.RateLimiter;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.ApiVersion;
import org.springframework.boot.actuate.endpoint.web.EndpointMediaTypes;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.web.method.support.HandlerMethodReturnValueHandler;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import java.util.List;
import java.util.Set;

/** Registers answers and problems with Spring MVC, and the filter of direct routes. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration implements WebMvcConfigurer {

    private static final Set<String> FAILURES = Set.of("error", "exception");

    /** A bean, so that the dispatcher of a management port of its own has it as well. */
    @Bean
    ProblemResolver problemResolver(RateLimiter throttle) {
        return new ProblemResolver(throttle);
    }

    /** Behind the gate, before Spring's own filters. */
    @Bean
    FilterRegistrationBean<DirectRouteFilter> hotRoutes(
            ObjectProvider<DirectController> controllers,
            RateLimiter throttle,
            ProblemResolver problems,
            MeterRegistry registry,
            ObjectProvider<Tracing> tracing) {
        var routes = controllers.stream().flatMap(each -> each.hotRoutes().stream()).toList();
        var traces = tracing.getIfAvailable(() -> Tracing.OFF);
        var hot = new DirectRouteFilter(routes, problems, throttle, registry, traces);
        var filter = new FilterRegistrationBean<>(hot);
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
        return filter;
    }

    /**
     * Leaves out two labels of request times, which make a tenth of a scrape: {@code
     * ovation_problems_total} counts failures by their code.
     */
    @Bean
    static MeterFilter requestLabels() {
        return new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                return id.getName().startsWith("http.server.requests")
                        ? id.replaceTags(
                                id.getTags().stream()
                                        .filter(tag -> !FAILURES.contains(tag.getKey()))
                                        .toList())
                        : id;
            }
        };
    }

    /**
     * Gives request times a histogram. Reads and writes of reactions have all buckets, other routes
     * few, and requests that did not succeed one, because each bucket of each status of each route
     * is a series.
     */
    @Bean
    static MeterFilter requestHistograms() {
        double[] all = TimeBuckets.nanos(TimeBuckets.REQUESTS);
        double[] few = TimeBuckets.nanos(TimeBuckets.OTHER_REQUESTS);
        double[] one = {all[all.length - 1]};
        return new MeterFilter() {
            @Override
            public @Nullable DistributionStatisticConfig configure(
                    Meter.Id id, DistributionStatisticConfig config) {
                return id.getName().equals("http.server.requests")
                        ? DistributionStatisticConfig.builder()
                                .serviceLevelObjectives(bounds(id))
                                .build()
                                .merge(config)
                        : config;
            }

            private double[] bounds(Meter.Id id) {
                if (!"SUCCESS".equals(id.getTag("outcome"))) {
                    return one;
                }
                return String.valueOf(id.getTag("uri")).startsWith("/reactions") ? all : few;
            }
        };
    }

    /**
     * Endpoints answer plain JSON unless a caller asks for the actuator's own media types, so that
     * answers have the media type that the API document names.
     */
    @Bean
    static EndpointMediaTypes endpointMediaTypes() {
        return new EndpointMediaTypes(
                MediaType.APPLICATION_JSON_VALUE,
                ApiVersion.V3.getProducedMimeType().toString(),
                ApiVersion.V2.getProducedMimeType().toString());
    }

    /** Behind the hot routes. */
    @Bean
    FilterRegistrationBean<RequestIdFilter> requestIds() {
        var filter = new FilterRegistrationBean<>(new RequestIdFilter());
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 10);
        return filter;
    }

    /** Behind the hot routes, none of which is for OPTIONS. */
    @Bean
    FilterRegistrationBean<AllowFilter> allowedMethods() {
        var filter = new FilterRegistrationBean<>(new AllowFilter());
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 11);
        return filter;
    }

    @Override
    public void addReturnValueHandlers(List<HandlerMethodReturnValueHandler> handlers) {
        handlers.add(new AnswerHandler());
    }
}
