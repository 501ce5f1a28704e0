package dev.ovation.start;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A short time-out of requests does not cut the stop of jobs. */
class StoppedBesideTest {

    private final List<String> stops = new CopyOnWriteArrayList<>();
    private final CountDownLatch relayStops = new CountDownLatch(1);

    @Test
    void theRelayStopsAfterJobs() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LifecycleAutoConfiguration.class))
                .withUserConfiguration(StartConfiguration.class)
                .withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=1ms")
                .withBean("jobs", Jobs.class, Jobs::new)
                .withBean("relay", Part.class, Relay::new)
                .run(_ -> {});

        assertThat(stops).containsExactly("jobs", "relay");
    }

    private abstract static class Part implements SmartLifecycle {

        private volatile boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    /** Ends late, or when the relay stops before it. */
    private final class Jobs extends Part implements StoppedBeside {

        @Override
        public void stop() {
            try {
                var _ = relayStops.await(500, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            stops.add("jobs");
            super.stop();
        }

        @Override
        public int getPhase() {
            return StartPhase.BACKGROUND;
        }
    }

    private final class Relay extends Part {

        @Override
        public void stop() {
            stops.add("relay");
            relayStops.countDown();
            super.stop();
        }

        @Override
        public int getPhase() {
            return StartPhase.RELAY;
        }
    }
}
