package dev.ovation.web.tomcat;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

import java.util.Set;

/**
 * Sets up the Tomcat of a management port of its own: its own errors are problems as well. No
 * component: the scan would put it into the application's context.
 */
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
class ManagementTomcatConfiguration {

    /** After Spring Boot's own, whose error page it removes: nothing serves that page here. */
    @Bean
    @Order
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> managementTomcatForOvation(
            ArrivalSettings arrival, ObjectProvider<MeterRegistry> registry) {
        return factory -> {
            arrival.bound(factory);
            factory.setErrorPages(Set.of());
            factory.addContextCustomizers(
                    context -> TomcatConfiguration.reportProblems(context, registry));
        };
    }
}
