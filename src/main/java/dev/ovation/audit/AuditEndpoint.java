package dev.ovation.audit;

import dev.ovation.audit.Auditor.AuditRequest;
import dev.ovation.audit.Auditor.Drift;
import dev.ovation.audit.Auditor.Report;
import dev.ovation.configuration.CurrentRules;
import dev.ovation.hot.link.RedisUnavailableException;
import dev.ovation.store.replica.ReplicaReads;
import dev.ovation.web.guard.Bulkhead;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.QueryString;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** {@code POST /actuator/audit}: audits the next entities, and repairs them on request. */
@Endpoint(id = "audit")
final class AuditEndpoint {

    static final int SAMPLE = 100;
    static final int MAX_SAMPLE = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(AuditEndpoint.class);
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Auditor auditor;
    private final CurrentRules rules;
    private final ReplicaReads reads;
    private final Duration maxDuration;
    private final Bulkhead permits = new Bulkhead("audits", 1, SOON);

    AuditEndpoint(Auditor auditor, CurrentRules rules, ReplicaReads reads, Duration maxDuration) {
        this.auditor = auditor;
        this.rules = rules;
        this.reads = reads;
        this.maxDuration = maxDuration;
    }

    /** Reads the parameters as all other calls do, not as the actuator would. */
    @WriteOperation
    Map<String, Object> audit() {
        AuditRequest order = order(query());
        var report = new Report();
        try (var _ = permits.take()) {
            auditor.audit(order.from(reads.awaitPosition()), report);
        } catch (RedisUnavailableException e) {
            throw failed("Redis", e, report);
        } catch (DataAccessException | TransactionException e) {
            throw failed("Postgres", e, report);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("this instance", e, report);
        }
        return json(order, report);
    }

    private static QueryString query() {
        var attributes = Objects.requireNonNull(RequestContextHolder.getRequestAttributes());
        return QueryString.of(
                ((ServletRequestAttributes) attributes).getRequest(),
                "namespace_id",
                "sample",
                "repair");
    }

    private AuditRequest order(QueryString query) {
        var violations = new RequestViolations();
        String namespace = query.nonEmpty("namespace_id");
        int sample = sample(query.text("sample"), violations);
        boolean repair = query.flag("repair", false, violations);
        violations.throwIfAny();
        if (namespace != null) {
            var _ = rules.forNamespace(namespace);
        }
        String walk = namespace == null ? "*" : namespace;
        return new AuditRequest(walk, namespace, sample, repair, maxDuration, Thread::sleep, null);
    }

    private static int sample(@Nullable String text, RequestViolations violations) {
        if (text == null) {
            return SAMPLE;
        }
        int sample = text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
        if (sample < 1 || sample > MAX_SAMPLE) {
            violations.add("sample", "must be a number from 1 to " + MAX_SAMPLE);
        }
        return sample;
    }

    private static RuntimeException failed(String who, Exception cause, Report report) {
        LOG.warn("An audit ends early, {} failed: {}", who, cause.getClass().getSimpleName());
        LOG.debug("the same with its messages", cause);
        return report.repairing
                ? Problems.outcomeUnknown(who + " failed while entities were repaired", SOON)
                : Problems.unavailable(who + " cannot be asked now, nothing was changed", SOON)
                        .because(cause);
    }

    private Map<String, Object> json(AuditRequest order, Report report) {
        var answer = new LinkedHashMap<String, Object>();
        answer.put("checked", report.checked);
        answer.put("skipped", report.skipped);
        answer.put(
                "drift",
                report.drift.stream().flatMap(drift -> json(drift, order).stream()).toList());
        return answer;
    }

    private List<Map<String, Object>> json(Drift drift, AuditRequest order) {
        return drift.finding().differences().stream().map(one -> json(drift, one, order)).toList();
    }

    private Map<String, Object> json(Drift drift, Difference difference, AuditRequest order) {
        var json = new LinkedHashMap<String, Object>();
        json.put("namespace_id", drift.finding().key().namespace());
        json.put("entity_id", drift.finding().key().entity());
        json.put("store", difference.store().label());
        json.put("kind", difference.kind().label());
        if (!difference.name().isEmpty()) {
            boolean isUser = difference.kind() == Difference.DriftKind.USER;
            json.put(
                    isUser ? "user_id" : "reaction_id",
                    isUser ? difference.name() : rules.current().spelling(difference.name()));
        }
        json.put("expected", difference.expected());
        json.put("found", difference.found());
        if (order.repair()) {
            json.put("repaired", drift.repaired());
        }
        return json;
    }
}
