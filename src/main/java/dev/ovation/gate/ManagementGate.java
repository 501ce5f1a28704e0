package dev.ovation.gate;

import dev.ovation.gate.cors.Cors;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/**
 * Puts the gate before a management port of its own, whose context is below the application's. No
 * component: the scan would put it into the application's context.
 */
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
class ManagementGate {

    /** No page of another origin belongs here. */
    @Bean
    FilterRegistrationBean<AuthenticationFilter> managementGate(Authentication entrance) {
        return GateConfiguration.first(entrance, Cors.NONE);
    }

    @Bean
    MappingCheck managementMappingCheck(ObjectProvider<RequestMappingInfoHandlerMapping> mappings) {
        return new MappingCheck(mappings);
    }

    @Bean
    @Order
    WebServerFactoryCustomizer<ConfigurableWebServerFactory> managementLoopback(
            Authentication entrance, Environment environment) {
        return factory ->
                GateConfiguration.bind(factory, entrance, environment, "management.server.address");
    }
}
