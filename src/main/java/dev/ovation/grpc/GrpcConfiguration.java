package dev.ovation.grpc;

import dev.ovation.crowd.CrowdCalls;
import dev.ovation.gate.CallGate;
import dev.ovation.gate.Exposure;
import dev.ovation.grpc.v1.ReactionsGrpc;
import dev.ovation.limit.RateLimits;
import dev.ovation.live.LiveStreams;
import dev.ovation.reaction.ReactionCalls;
import dev.ovation.web.problem.ProblemCounter;

import io.grpc.BindableService;
import io.grpc.ServerInterceptors;
import io.grpc.netty.NettyServerBuilder;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.grpc.server.ServerBuilderCustomizer;

import java.net.InetAddress;

/** Offers the calls to Spring Boot's gRPC server, which starts where it finds some. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("spring.grpc.server.enabled")
class GrpcConfiguration {

    /** Calls of one connection at the same time; the client holds the next ones back. */
    private static final int CALLS_OF_A_CONNECTION = 1000;

    /** Bytes on their way. A fixed window saves the ping for each message that measures the way. */
    private static final int WINDOW = 1 << 20;

    @Bean
    BindableService reactionsService(
            CallGate gate,
            RateLimits limits,
            ReactionCalls reactions,
            CrowdCalls crowds,
            LiveStreams streams,
            MeterRegistry registry) {
        var admission = new CallAdmission(gate, limits);
        var runner = new CallRunner(admission, new ProblemCounter(registry), registry);
        var endpoint = new ReactionsEndpoint(runner, reactions, crowds, streams);
        return () ->
                ServerInterceptors.intercept(
                        ReactionsGrpc.bindService(endpoint), new GrpcCall.Interceptor());
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
