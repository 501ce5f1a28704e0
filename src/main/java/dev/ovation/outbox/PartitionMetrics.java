package dev.ovation.outbox;

import dev.ovation.hot.state.Fences;
import dev.ovation.outbox.recovery.Recovery;
import dev.ovation.outbox.relay.Relay;
import dev.ovation.outbox.relay.RelayCycle;
import dev.ovation.outbox.watermark.Watermarks;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The metrics of what {@link OutboxHealth} reports about partitions and waiting writes. */
@Configuration(proxyBeanMethods = false)
class PartitionMetrics {

    @Bean
    MeterBinder partitions(
            Relay relay,
            RelayCycle cycle,
            Recovery recovery,
            Fences fences,
            Watermarks watermarks) {
        return registry -> {
            Gauge.builder("ovation.partitions.configured", () -> fences.partitions().count())
                    .description("Partitions of the outbox")
                    .register(registry);
            partitions("failing", relay::failing).register(registry);
            partitions("stopped", cycle::stopped).register(registry);
            partitions("contested", recovery::contested).register(registry);
            TimeGauge.builder(
                            "ovation.commit.wait.oldest",
                            () -> watermarks.oldestWait().toMillis(),
                            TimeUnit.MILLISECONDS)
                    .description("Time that the longest waiting write has waited for its commit")
                    .register(registry);
        };
    }

    private static Gauge.Builder<Supplier<Number>> partitions(
            String state, Supplier<? extends Collection<Integer>> members) {
        Supplier<Number> number = () -> members.get().size();
        return Gauge.builder("ovation.partitions", number)
                .description("Partitions whose changes are not committed, by reason")
                .tag("state", state);
    }
}
