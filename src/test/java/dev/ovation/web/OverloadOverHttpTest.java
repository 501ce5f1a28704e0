package dev.ovation.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.BusyProcessors;
import dev.ovation.testing.Wait;

import io.micrometer.core.instrument.MeterRegistry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Few of many concurrent requests begin; the others wait, and all are answered. */
@Isolated
@SpringBootTest(
        classes = WebTestApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = "ovation.internal.http.run-queue-limit=1")
class OverloadOverHttpTest {

    private static final int MAY_BEGIN = BusyProcessors.count();
    private static final int REQUESTS = 10 * MAY_BEGIN;

    @LocalServerPort int port;
    @Autowired MeterRegistry registry;

    @Test
    void fewBeginTheOthersWaitAndAllAreAnswered() {
        var replies = new ArrayList<Future<RawHttp.Reply>>();
        try (var clients = Executors.newFixedThreadPool(REQUESTS)) {
            try (var _ = BusyProcessors.all()) {
                for (int i = 0; i < REQUESTS; i++) {
                    replies.add(clients.submit(() -> RawHttp.get(port, "/ping")));
                }
                Wait.until("most wait", () -> waiting() >= REQUESTS - MAY_BEGIN);
            }
        }
        assertThat(replies)
                .allSatisfy(reply -> assertThat(reply.resultNow().status()).isEqualTo(200));
        assertThat(waiting()).isZero();
    }

    private double waiting() {
        return registry.get("ovation.requests.waiting").gauge().value();
    }
}
