package dev.ovation.grpc;

import dev.ovation.crowd.CrowdCalls;
import dev.ovation.gate.CallGate;
import dev.ovation.gate.Exposure;
import dev.ovation.grpc.v1.ReactionsGrpc;
import dev.ovation.limit.RateLimits;
import dev.ovation.live.LiveStreams;
import dev.ovation.reaction.ReactionCalls;
import dev.ovation.trace.Tracing;
import dev.ovation.web.problem.ProblemCounter;

import io.grpc.BindableService;
import io.grpc.ServerInterceptors;
import io.grpc.netty.NettyServerBuilder;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.ServerBuilderCustomizer;
import org.springframework.util.unit.DataSize;

import java.net.InetAddress;
import java.time.Duration;

/** Offers the calls to Spring Boot's gRPC server, which starts where it finds some. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("spring.grpc.server.enabled")
@EnableConfigurationProperties(GrpcConfiguration.CallBounds.class)
class GrpcConfiguration {

    /** Calls of one connection at the same time; the client holds the next ones back. */
    private static final int CALLS_OF_A_CONNECTION = 100;

    /** Bytes on their way. A fixed window saves the ping for each message that measures the way. */
    private static final int WINDOW = 1 << 20;

    /**
     * Constants, bound for tests.
     *
     * @param patience Time that a client may take to send its request, or to take an answer.
     * @param longest Time after which a stream of operations ends, so that clients spread over
     *     instances again.
     * @param streams Streams of operations at the same time; the next one is refused.
     */
    @ConfigurationProperties("ovation.internal.grpc")
    record CallBounds(
            @DefaultValue("10s") Duration patience,
            @DefaultValue("1h") Duration longest,
            @DefaultValue("200") int streams) {}

    @Bean
    OpenCalls openCalls() {
        return new OpenCalls();
    }

    @Bean
    BindableService reactionsService(
            CallGate gate,
            RateLimits limits,
            ReactionCalls reactions,
            CrowdCalls crowds,
            LiveStreams streams,
            OpenCalls calls,
            CallBounds bounds,
            @Value("${ovation.http.max-body}") DataSize maxBody,
            MeterRegistry registry,
            Tracing tracing) {
        var runner =
                new CallRunner(
                        new CallAdmission(gate, limits),
                        calls,
                        bounds.patience(),
                        new ProblemCounter(registry),
                        registry,
                        tracing);
        var batches =
                new OperationStream.Opener(
                        runner, reactions, bounds.streams(), bounds.longest(), maxBody.toBytes());
        var endpoint = new ReactionsEndpoint(runner, reactions, crowds, streams, batches);
        return () ->
                ServerInterceptors.intercept(
                        ReactionsGrpc.bindService(endpoint), new CallInterceptor(runner));
    }

    /** A call begins a virtual thread itself, so that the server needs no executor beside it. */
    @Bean
    ServerBuilderCustomizer<NettyServerBuilder> threads() {
        return builder ->
                builder.directExecutor()
                        .maxConcurrentCallsPerConnection(CALLS_OF_A_CONNECTION)
                        .flowControlWindow(WINDOW);
    }

    /** Binds the server to loopback where the service accepts callers of its machine only. */
    @Bean
    static BeanPostProcessor loopbackOfGrpc(ObjectProvider<CallGate> gate) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (bean instanceof GrpcServerProperties properties
                        && properties.getAddress() == null
                        && gate.getObject().exposure() == Exposure.LOOPBACK) {
                    properties.setAddress(InetAddress.getLoopbackAddress());
                }
                return bean;
            }
        };
    }
}
