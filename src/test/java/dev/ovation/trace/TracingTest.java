package dev.ovation.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;

class TracingTest {

    private static final String UNSAMPLED =
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
    private static final String SAMPLED = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final AtomicInteger begun = new AtomicInteger();

    /** Counts the spans that it is asked for. */
    private final Tracer counting =
            name -> {
                begun.incrementAndGet();
                return TracerProvider.noop().get("none").spanBuilder(name);
            };

    @ParameterizedTest
    @CsvSource({
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01, 1",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03, 1",
        "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more, 1",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00, 0",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-02, 0",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01, 0",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0g, 0",
        ", 0"
    })
    void theFlagOfTheCallerDecides(String traceparent, int spans) {
        var _ = new Tracing(counting, 0).request("GET", traceparent, true);

        assertThat(begun).hasValue(spans);
    }

    @ParameterizedTest
    @CsvSource({"1, true, 1", "1, false, 0", "0, true, 0"})
    void chanceDecidesWithoutACaller(double share, boolean byChance, int spans) {
        var _ = new Tracing(counting, share).request("GET", null, byChance);

        assertThat(begun).hasValue(spans);
    }

    /** A caller that does not record its trace is not overruled by chance. */
    @Test
    void chanceDoesNotOverruleTheCaller() {
        assertThat(new Tracing(counting, 1).request("GET", UNSAMPLED, true)).isNull();
    }

    @Test
    void switchedOffNoRequestIsSampled() {
        assertThat(Tracing.OFF.isOn()).isFalse();
        assertThat(Tracing.OFF.request("GET", SAMPLED, true)).isNull();
    }

    /** A thousand requests call each method of tracing and allocate less than a byte each. */
    @ParameterizedTest
    @ValueSource(strings = {UNSAMPLED, ""})
    void aRequestThatIsNotSampledAllocatesNothing(String traceparent) {
        var tracing = new Tracing(counting, 0);
        var _ = allocated(tracing, traceparent); // loads classes and makes entries of the thread

        assertThat(allocated(tracing, traceparent)).isLessThan(1000);
        assertThat(begun).hasValue(0);
    }

    private static long allocated(Tracing tracing, String traceparent) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1000; i++) {
            TraceSpan span = tracing.request("GET", traceparent, true);
            try (var _ = TraceSpan.entered(span);
                    var _ = TraceSpan.part("read");
                    var _ = TraceSpan.enteredRemote(null)) {
                var _ = WriteTrace.of(WriteTrace.ALONE);
            }
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
