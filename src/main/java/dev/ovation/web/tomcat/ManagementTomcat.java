package dev.ovation.web.tomcat;

import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/**
 * Has the container of a management port answer with problems too. No component: the scan would put
 * it into the application's context.
 */
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
class ManagementTomcat {

    @Bean
    @Order
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemsOfManagement() {
        return factory -> factory.addContextCustomizers(TomcatConfiguration::reportProblems);
    }
}
