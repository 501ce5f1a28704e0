package dev.ovation.audit;

import static dev.ovation.faults.Stage.NOTES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.audit.Auditor.AuditRequest;
import dev.ovation.audit.Auditor.Report;
import dev.ovation.faults.postgres.WithReplica;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** Audits count on the standby, and the primary decides about what looks like drift there. */
@Beside
@Tag("embedded")
class ReplicaAuditTest {

    private static final String ENTITY = "audited";

    private static WithReplica servers;
    private static Instance service;

    @BeforeAll
    static void open() {
        servers = new WithReplica();
        service = servers.start("10m", "ovation.audit.rate=0");
        WithReplica.add(service, ENTITY, "ann");
        WithReplica.add(service, ENTITY, "ben");
    }

    @AfterAll
    static void close() {
        servers.close();
    }

    @BeforeEach
    void theStandbyCounts() {
        settle();
        WithReplica.awaitRead(service, "audit", "replica", () -> assertThat(audit()).isZero());
    }

    @AfterEach
    void isRepaired() {
        servers.resume();
        setCount(2);
        settle();
        servers.stage.assertSound();
    }

    private static void settle() {
        servers.stage.awaitDrained();
        servers.awaitFollowed();
    }

    /** Audits the entity as the background work does; returns the number of drifting entities. */
    private static int audit() {
        var report = new Report();
        var all =
                new AuditRequest("*", NOTES, 1, false, Duration.ofMinutes(1), Thread::sleep, null);
        try {
            assertThat(service.bean(Auditor.class).goOn(all, report)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(report.checked).isEqualTo(1);
        assertThat(report.skipped).isZero();
        return report.drift.size();
    }

    private static void setCount(int count) {
        servers.stage.sql.update(
                """
                update counter c set count = ? from entity e
                where  e.p = c.p and e.no = c.entity_no and e.entity = ?
                """,
                count,
                ENTITY);
    }

    @Test
    void driftOnBothIsFound() {
        setCount(3);
        servers.awaitFollowed();

        assertThat(audit()).isEqualTo(1);
    }

    @Test
    void driftThatOnlyTheOlderStandbyShowsIsNone() {
        setCount(3);
        servers.awaitFollowed();
        servers.pause();
        setCount(2);

        assertThat(audit()).isZero();
    }

    @Test
    void aChangeThatTheStandbyLacksIsNoDriftInRedis() {
        servers.pause();
        service.remove(NOTES, ENTITY, "ben", "👍");
        servers.stage.awaitDrained();

        assertThat(audit()).isZero();
        assertThat(service.add(NOTES, ENTITY, "ben", "👍").status()).isEqualTo(200);
    }

    /** The replica is paused: it has the state of before the changed count. */
    @Test
    void anAuditOnDemandMissesNothingThatWasThereBefore() {
        servers.pause();
        setCount(7);

        var answer = service.send("POST", "/actuator/audit?namespace_id=" + NOTES, null);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.json().at("/drift").size()).as(answer.body()).isEqualTo(1);
    }
}
