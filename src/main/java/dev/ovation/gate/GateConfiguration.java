package dev.ovation.gate;

import dev.ovation.access.Scope;
import dev.ovation.credential.AccessSettings;
import dev.ovation.credential.Credentials;
import dev.ovation.gate.cors.Cors;
import dev.ovation.gate.cors.CorsSettings;
import dev.ovation.web.guard.RateLimiter;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

import java.net.InetAddress;
import java.util.function.Supplier;

/**
 * Installs the authentication filter on the main port and the scope checks of handlers and
 * endpoints.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CorsSettings.class)
class GateConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(GateConfiguration.class);

    @Bean
    Exposure exposure(AccessSettings settings, Credentials credentials, Environment environment) {
        Exposure exposure = Exposure.of(settings, credentials, environment);
        switch (exposure) {
            case GUARDED -> {}
            case LOOPBACK ->
                    LOG.info(
                            "Open to this machine only, because no credential is configured. To"
                                    + " let others in, {}",
                            Exposure.REMEDY);
            case CLOSED ->
                    LOG.warn(
                            "Every request is refused, because no credential is configured: {}",
                            Exposure.REMEDY);
            case OPEN ->
                    LOG.warn(
                            "No credentials required from any address: ovation.access.mode is open");
        }
        return exposure;
    }

    @Bean
    Authentication entrance(
            Exposure exposure,
            Credentials credentials,
            AccessSettings settings,
            ObjectProvider<RateLimiter> throttle) {
        return new Authentication(exposure, credentials, settings, late(throttle));
    }

    /** Reports the exposure in health. */
    @Bean("accessHealthIndicator")
    HealthIndicator access(Exposure exposure) {
        return () -> Health.up().withDetail("access", exposure.label()).build();
    }

    @Bean
    MeterBinder accessOpen(Exposure exposure) {
        return registry ->
                Gauge.builder("ovation.access.open", () -> exposure == Exposure.OPEN ? 1 : 0)
                        .description(
                                "1 if the service accepts callers without credentials from any address")
                        .register(registry);
    }

    /**
     * The pages of other origins that may use the service.
     *
     * @throws InvalidConfigurationPropertyValueException when all origins are allowed without
     *     credentials: any page in a browser on this machine could then do everything
     */
    @Bean
    Cors cors(CorsSettings settings, Exposure exposure) {
        Cors cors = Cors.of(settings);
        if (exposure == Exposure.LOOPBACK && cors.allowsAll()) {
            throw new InvalidConfigurationPropertyValueException(
                    "ovation.cors.allowed-origins", "*", "needs credentials; " + Exposure.REMEDY);
        }
        return cors;
    }

    /** For protocols other than HTTP. */
    @Bean
    CallGate callGate(Authentication entrance, Cors cors) {
        return new CallGate(entrance, cors);
    }

    @Bean
    FilterRegistrationBean<AuthenticationFilter> gate(Authentication entrance, Cors cors) {
        return first(entrance, cors);
    }

    static FilterRegistrationBean<AuthenticationFilter> first(Authentication entrance, Cors cors) {
        var filter = new FilterRegistrationBean<>(new AuthenticationFilter(entrance, cors));
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return filter;
    }

    /** For all handler mappings of this context and of those below it. */
    @Bean
    MappedInterceptor scopeInterceptor(ObjectProvider<RateLimiter> throttle) {
        return new MappedInterceptor(null, new ScopeInterceptor(late(throttle)));
    }

    @Bean
    EndpointGuard endpointGuard(AccessSettings settings, ObjectProvider<RateLimiter> throttle) {
        return new EndpointGuard(settings, late(throttle));
    }

    /** The limits, made when they are first asked: these beans are early, and metrics are not. */
    private static RateLimiter late(ObjectProvider<RateLimiter> throttle) {
        Supplier<RateLimiter> made = SingletonSupplier.of(throttle::getObject);
        return new RateLimiter() {
            @Override
            public void charge(
                    HttpServletRequest request, HttpServletResponse response, Scope scope) {
                made.get().charge(request, response, scope);
            }

            @Override
            public void attempt(String address) {
                made.get().attempt(address);
            }

            @Override
            public void takeBack(String address) {
                made.get().takeBack(address);
            }
        };
    }

    @Bean
    MappingCheck mappingCheck(ObjectProvider<RequestMappingInfoHandlerMapping> mappings) {
        return new MappingCheck(mappings);
    }

    /** After Spring Boot's own, which sets the address of the settings. */
    @Bean
    @Order
    WebServerFactoryCustomizer<ConfigurableWebServerFactory> loopback(
            ObjectProvider<Authentication> entrance, Environment environment) {
        return factory -> bind(factory, entrance.getObject(), environment, "server.address");
    }

    static void bind(
            ConfigurableWebServerFactory factory,
            Authentication entrance,
            Environment environment,
            String setting) {
        if (entrance.exposure() == Exposure.LOOPBACK
                && !StringUtils.hasText(environment.getProperty(setting))) {
            factory.setAddress(InetAddress.getLoopbackAddress());
        }
    }
}
