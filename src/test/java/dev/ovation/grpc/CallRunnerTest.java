package dev.ovation.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;

import dev.ovation.grpc.CallRunner.CallMethod;
import dev.ovation.trace.Tracing;
import dev.ovation.web.http.RequestId;
import dev.ovation.web.problem.InternalErrors;
import dev.ovation.web.problem.ProblemCounter;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Isolated, because the logging belongs to the whole JVM. */
@Isolated
class CallRunnerTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(InternalErrors.class);
    private final List<String> ids = new CopyOnWriteArrayList<>();

    /** Reads the MDC at once, because it belongs to the current thread. */
    private final AppenderBase<ILoggingEvent> appender =
            new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent line) {
                    ids.add(line.getMDCPropertyMap().get(RequestId.NAME));
                }
            };

    @Test
    void theLinesOfACallHaveItsId() throws Exception {
        var headers = new Metadata();
        headers.put(Metadata.Key.of("x-request-id", Metadata.ASCII_STRING_MARSHALLER), "mine-1");
        var call = new GrpcCall(headers, "192.0.2.1", null, null);
        var registry = new SimpleMeterRegistry();
        var out = new FakeObserver<String>();
        appender.start();
        logger.addAppender(appender);
        try (var calls = new OpenCalls()) {
            // Without an admission the call fails, and a failure is a line.
            var runner =
                    new CallRunner(
                            null,
                            calls,
                            Duration.ofHours(1),
                            new ProblemCounter(registry),
                            registry,
                            Tracing.OFF);
            call.context()
                    .run(
                            () ->
                                    runner.run(
                                            CallMethod.GET,
                                            out,
                                            (_, _, answers) -> answers.accept("")));

            var failure = (StatusRuntimeException) out.end.get();
            assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
            assertThat(ids).containsExactly("mine-1");
        } finally {
            logger.detachAppender(appender);
        }
    }
}
