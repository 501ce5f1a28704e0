package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;

import org.junit.jupiter.api.Test;

class AuditWithoutServersTest {

    @Test
    void withoutOneOfTheServersAnAuditIsRefused() {
        try (var stage = Stage.open()) {
            var service = stage.launchBehindProxy("ovation.audit.patience=2s").attached();
            service.add(Stage.NOTES, "1", "ann", "👍");
            assertThat(audit(service).status()).isEqualTo(200);

            stage.proxy().cut();
            assertRefused(audit(service));

            stage.proxy().mend();
            stage.redisProcess.kill();
            assertRefused(audit(service));
        }
    }

    private static Instance.Answer audit(Instance service) {
        return service.send("POST", "/actuator/audit?repair=true", null);
    }

    private static void assertRefused(Instance.Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(answer.json().at("/code").asString()).isEqualTo("unavailable");
        assertThat(answer.json().at("/outcome").asString()).isEqualTo("refused");
        assertThat(answer.headers().keySet()).anyMatch("Retry-After"::equalsIgnoreCase);
    }
}
