package dev.ovation.web.tomcat;

import org.apache.catalina.Context;
import org.apache.catalina.Pipeline;
import org.apache.catalina.Valve;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Sets up the embedded Tomcat beyond what Spring Boot's settings reach. */
@Configuration(proxyBeanMethods = false)
class TomcatConfiguration {

    /** After Spring Boot's own, whose error pages and valve it replaces. */
    @Bean
    @Order
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcatForOvation() {
        return factory -> {
            factory.setProtocol(LenientProtocol.class.getName());
            // Bodies are read as JSON even when they say that they are forms.
            factory.addConnectorCustomizers(connector -> connector.setParseBodyMethods(""));
            // Who asks with Expect whether to send a body that is too large is told no.
            factory.addConnectorCustomizers(
                    connector -> connector.setProperty("continueResponseTiming", "onRead"));
            factory.addContextCustomizers(TomcatConfiguration::reportProblems);
        };
    }

    private static void reportProblems(Context context) {
        var host = (StandardHost) context.getParent();
        Pipeline pipeline = host.getPipeline();
        for (Valve valve : pipeline.getValves()) {
            if (valve instanceof ErrorReportValve) {
                pipeline.removeValve(valve);
            }
        }
        host.setErrorReportValveClass("");
        pipeline.addValve(new ProblemValve());
    }
}
