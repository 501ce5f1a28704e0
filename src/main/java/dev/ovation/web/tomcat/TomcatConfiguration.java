package dev.ovation.web.tomcat;

import dev.ovation.web.problem.ProblemCounter;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.apache.catalina.Context;
import org.apache.catalina.Pipeline;
import org.apache.catalina.Valve;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.ProtocolHandler;
import org.apache.tomcat.util.net.SocketProcessorBase;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Sets up the embedded Tomcat beyond what Spring Boot's settings reach. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({HttpSettings.class, HttpSettings.HttpConstants.class})
class TomcatConfiguration {

    /** After Spring Boot's own, whose error pages and valve it replaces. */
    @Bean
    @Order
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcatForOvation(
            ArrivalSettings arrival, ObjectProvider<MeterRegistry> registry) {
        return factory -> {
            arrival.bound(factory);
            factory.addContextCustomizers(context -> reportProblems(context, registry));
            factory.addProtocolHandlerCustomizers(
                    handler -> registry.ifAvailable(metrics -> measure(handler, metrics)));
        };
    }

    /** In front of virtual threads, which Spring Boot sets up in the same way. */
    @Bean
    @Order
    @ConditionalOnThreading(Threading.VIRTUAL)
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> door(
            @Value("${ovation.internal.http.run-queue-limit:32}") int runQueueLimit,
            ObjectProvider<MeterRegistry> registry,
            ConfigurableApplicationContext context) {
        var threads = new VirtualThreadExecutor("tomcat-handler-");
        var door =
                new AdmissionControl(threads, SocketProcessorBase.class::isInstance, runQueueLimit);
        context.addApplicationListener(door);
        registry.ifAvailable(metrics -> measure(door, metrics));
        return factory ->
                factory.addProtocolHandlerCustomizers(handler -> handler.setExecutor(door));
    }

    private static void measure(ProtocolHandler handler, MeterRegistry registry) {
        if (handler instanceof AbstractProtocol<?> protocol) {
            Gauge.builder(
                            "ovation.connections.open",
                            protocol,
                            AbstractProtocol::getConnectionCount)
                    .description("Open connections of clients")
                    .register(registry);
            Gauge.builder(
                            "ovation.connections.limit",
                            protocol,
                            AbstractProtocol::getMaxConnections)
                    .description("Most connections that are served; further ones wait")
                    .register(registry);
        }
    }

    private static void measure(AdmissionControl door, MeterRegistry registry) {
        Gauge.builder("ovation.requests.waiting", door, AdmissionControl::waiting)
                .description("Requests that wait for admission")
                .register(registry);
    }

    /** Replaces what writes the container's own errors on a port. */
    static void reportProblems(Context context, ObjectProvider<MeterRegistry> registry) {
        var host = (StandardHost) context.getParent();
        Pipeline pipeline = host.getPipeline();
        for (Valve valve : pipeline.getValves()) {
            if (valve instanceof ErrorReportValve) {
                pipeline.removeValve(valve);
            }
        }
        host.setErrorReportValveClass("");
        MeterRegistry metrics = registry.getIfAvailable();
        pipeline.addValve(new ProblemValve(metrics == null ? null : new ProblemCounter(metrics)));
    }
}
