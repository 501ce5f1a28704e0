package dev.ovation.web.tomcat;

import dev.ovation.web.ProblemTally;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.apache.catalina.Context;
import org.apache.catalina.Pipeline;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SocketProcessorBase;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.util.unit.DataSize;

import java.time.Duration;

/** Sets up the embedded Tomcat beyond what Spring Boot's settings reach. */
@Configuration(proxyBeanMethods = false)
class TomcatConfiguration {

    /** After Spring Boot's own, whose error pages and valve it replaces. */
    @Bean
    @Order
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> tomcatForOvation(
            @Value("${ovation.http.head}") Duration head,
            @Value("${ovation.http.grace}") Duration grace,
            @Value("${ovation.http.rate}") DataSize rate,
            @Value("${ovation.http.streams}") int streams,
            ObjectProvider<MeterRegistry> registry) {
        var pace = new Pace(head, grace, rate.toBytes());
        return factory -> {
            factory.setProtocol(LenientProtocol.class.getName());
            factory.addConnectorCustomizers(connector -> keep(pace, streams, connector));
            // Bodies are read as JSON even when they say that they are forms.
            factory.addConnectorCustomizers(connector -> connector.setParseBodyMethods(""));
            // Who asks with Expect whether to send a body that is too large is told no.
            factory.addConnectorCustomizers(
                    connector -> connector.setProperty("continueResponseTiming", "onRead"));
            factory.addContextCustomizers(
                    context -> {
                        reportProblems(context, registry);
                        paceBodies(context, pace);
                    });
        };
    }

    private static void keep(Pace pace, int streams, Connector connector) {
        if (connector.getProtocolHandler() instanceof LenientProtocol protocol) {
            protocol.setPace(pace);
        }
        for (UpgradeProtocol upgrade : connector.findUpgradeProtocols()) {
            if (upgrade instanceof Http2Protocol http2) {
                http2.setMaxConcurrentStreams(streams);
                http2.setStreamReadTimeout(pace.grace().toMillis());
            }
        }
    }

    /** In front of virtual threads, which Spring Boot sets up in the same way. */
    @Bean
    @Order
    @ConditionalOnThreading(Threading.VIRTUAL)
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> door(
            @Value("${ovation.http.runnable}") int runnable,
            ObjectProvider<MeterRegistry> registry,
            ConfigurableApplicationContext context) {
        var threads = new VirtualThreadExecutor("tomcat-handler-");
        var door = new Door(threads, SocketProcessorBase.class::isInstance, runnable);
        context.addApplicationListener(door);
        registry.ifAvailable(metrics -> measure(door, metrics));
        return factory ->
                factory.addProtocolHandlerCustomizers(handler -> handler.setExecutor(door));
    }

    private static void measure(Door door, MeterRegistry registry) {
        Gauge.builder("ovation.requests.waiting", door, Door::waiting)
                .description("Requests that have come and wait to begin")
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
        pipeline.addValve(new ProblemValve(metrics == null ? null : new ProblemTally(metrics)));
    }

    private static void paceBodies(Context context, Pace pace) {
        ((StandardHost) context.getParent()).getPipeline().addValve(new PaceValve(pace));
    }
}
