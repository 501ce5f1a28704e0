package dev.ovation.gate;

import dev.ovation.credential.AccessSettings;
import dev.ovation.credential.Credentials;
import dev.ovation.web.Throttle;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

import java.net.InetAddress;

/** Puts the gate before the application's port, and guards before its handlers and endpoints. */
@Configuration(proxyBeanMethods = false)
class GateConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(GateConfiguration.class);

    @Bean
    Entrance entrance(AccessSettings settings, Credentials credentials, Environment environment) {
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
            case OPEN -> LOG.warn("Open to everybody who reaches it: ovation.access.mode is open");
        }
        return new Entrance(exposure, credentials, settings);
    }

    @Bean
    FilterRegistrationBean<Gate> gate(Entrance entrance) {
        return first(entrance);
    }

    static FilterRegistrationBean<Gate> first(Entrance entrance) {
        var filter = new FilterRegistrationBean<>(new Gate(entrance));
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return filter;
    }

    /** For all handler mappings of this context and of those below it. */
    @Bean
    MappedInterceptor scopeInterceptor(ObjectProvider<Throttle> throttle) {
        return new MappedInterceptor(
                null, new ScopeInterceptor(throttle.getIfAvailable(() -> Throttle.NONE)));
    }

    @Bean
    EndpointGuard endpointGuard(AccessSettings settings) {
        return new EndpointGuard(settings);
    }

    @Bean
    MappingCheck mappingCheck(ObjectProvider<RequestMappingInfoHandlerMapping> mappings) {
        return new MappingCheck(mappings);
    }

    /** After Spring Boot's own, which sets the address of the settings. */
    @Bean
    @Order
    WebServerFactoryCustomizer<ConfigurableWebServerFactory> loopback(
            ObjectProvider<Entrance> entrance, Environment environment) {
        return factory -> bind(factory, entrance.getObject(), environment, "server.address");
    }

    static void bind(
            ConfigurableWebServerFactory factory,
            Entrance entrance,
            Environment environment,
            String setting) {
        if (entrance.exposure() == Exposure.LOOPBACK
                && !StringUtils.hasText(environment.getProperty(setting))) {
            factory.setAddress(InetAddress.getLoopbackAddress());
        }
    }
}
