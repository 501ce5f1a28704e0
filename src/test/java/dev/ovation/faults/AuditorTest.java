package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Scheduled audits, and their behaviour when a part is down. */
@Isolated
@ExtendWith(OutputCaptureExtension.class)
class AuditorTest {

    /** U+202E makes a terminal show the following text from right to left. */
    private static final String TURNED = "entity-17\u202e";

    @Test
    void scheduledAuditsLogNoEntityIdsAndAuditsOnDemandReportThem(CapturedOutput output) {
        try (var stage = Stage.open()) {
            var service = stage.start(Stage.PATIENT);
            for (int i = 0; i < 23; i++) {
                String entity = i == 17 ? TURNED : "entity-" + i;
                assertThat(service.add(Stage.NOTES, entity, "ann", "👍").status()).isEqualTo(200);
            }
            stage.sql.update("update named_counter set count = 2 where entity = ?", TURNED);

            Wait.until(
                    "drift is measured",
                    () -> stage.metric(service, "ovation_audit_drift_total", "postgres") > 0);
            Wait.until("and logged", () -> output.getOut().contains("Drift in namespace notes: "));

            assertThat(output)
                    .contains("Drift in namespace notes: [postgres count")
                    .doesNotContain("entity-17");
            assertThat(stage.count(Stage.NOTES, TURNED, "👍")).isEqualTo(2);
            var named = new Audits(service).audit("sample=1&repair=true");
            assertThat(Audits.lines(named, TURNED)).contains("postgres count 👍: 2 instead of 1");
            assertThat(output).contains("Repairing notes/entity-17\\u202e: ");
            assertThat(stage.count(Stage.NOTES, TURNED, "👍")).isEqualTo(1);
            stage.assertSound();
        }
    }

    @Test
    void withoutOneOfTheServersAnAuditIsRefused() {
        try (var stage = Stage.open()) {
            var service = stage.launchBehindProxy(Stage.PATIENT_WITH_REDIS).attached();
            assertThat(service.add(Stage.NOTES, "1", "ann", "👍").status()).isEqualTo(200);
            new Audits(service).audit("repair=true");

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
