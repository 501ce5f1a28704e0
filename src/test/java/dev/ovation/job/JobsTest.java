package dev.ovation.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.job.Job.State;
import dev.ovation.testing.TestPostgres;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

class JobsTest {

    private static final JdbcTemplate JDBC = new JdbcTemplate(TestPostgres.database());
    private static final String KIND = "dig";
    private static final JsonNode NOTHING = JsonNodeFactory.instance.objectNode();

    /** Its leases outlive a test: {@link #leaseEnds} ends them. */
    private final Jobs jobs = new Jobs(JDBC, Duration.ofHours(1), () -> Set.of("tell"));

    @BeforeEach
    void empty() {
        JDBC.execute("truncate job");
    }

    @Test
    void aJobIsHeldByOne() throws Exception {
        IntStream.range(0, 37).forEach(_ -> ready());
        try (var threads = Executors.newFixedThreadPool(4)) {
            var claims =
                    threads.invokeAll(
                            IntStream.range(0, 377)
                                    .mapToObj(
                                            _ -> (Callable<Claim>) () -> jobs.claim(List.of(KIND)))
                                    .toList());
            var held =
                    claims.stream()
                            .map(claim -> claim.resultNow())
                            .filter(Objects::nonNull)
                            .map(Claim::id)
                            .toList();
            assertThat(held).hasSize(37).doesNotHaveDuplicates();
        }
    }

    @Test
    void whoeverWasPausedBeyondTheLeaseCanNeitherSaveNorEnd() {
        ready();
        Claim first = claimed();
        leaseEnds();
        Claim second = claimed();

        assertThatThrownBy(() -> first.save(position(1), 1, NOTHING))
                .isInstanceOf(ClaimLostException.class);
        assertThatThrownBy(first::renew).isInstanceOf(ClaimLostException.class);
        first.end(State.DONE, NOTHING);
        first.release();
        second.save(position(2), 2, NOTHING);
        Job job = second.renew();
        assertThat(job.state()).isEqualTo(State.RUNNING);
        assertThat(job.position()).isEqualTo(position(2));
        assertThat(jobs.claim(List.of(KIND))).isNull();
    }

    @Test
    void aCancelledJobCannotBeCarriedOn() {
        ready();
        Claim claim = claimed();
        jobs.cancel(claim.id());

        assertThatThrownBy(() -> claim.save(position(1), 1, NOTHING))
                .isInstanceOf(ClaimLostException.class);
        assertThat(jobs.find(claim.id()).orElseThrow().state()).isEqualTo(State.CANCELLED);
    }

    /** Somebody has to tell of its last piece. */
    @Test
    void aJobThatWasCancelledIsTakenUpOnceMore() {
        ready();
        claimed().save(position(1), 1, NOTHING);
        jobs.cancel(onlyJob().id());

        Claim claim = claimed();
        assertThat(claim.renew()).isEqualTo(onlyJob());
        assertThat(onlyJob().state()).isEqualTo(State.CANCELLED);
        assertThat(onlyJob().position()).isEqualTo(position(1));
        assertThat(jobs.claim(List.of(KIND))).isNull();
        claim.settle();
        assertThat(jobs.claim(List.of(KIND))).isNull();
        leaseEnds();
        assertThat(jobs.claim(List.of(KIND))).isNull();
    }

    private Job onlyJob() {
        return jobs.list(null, Long.MAX_VALUE, 2).getFirst();
    }

    @Test
    void onlyWhatIsReadyAndKnownIsTakenUpAndTheOldestFirst() {
        Claim arriving = Objects.requireNonNull(jobs.begin(KIND, NOTHING, null).claim());
        leaseEnds();
        assertThat(jobs.claim(List.of(KIND))).isNull();
        long second = ready();

        arriving.ready(NOTHING, 1, NOTHING);

        assertThat(jobs.claim(List.of("sing"))).isNull();
        assertThat(claimed().id()).isEqualTo(arriving.id());
        assertThat(claimed().id()).isEqualTo(second);
    }

    @Test
    void theSameKeyIsTheSameJobWhoeverAsks() {
        var first = jobs.begin(KIND, NOTHING, "key");
        assertProblem(ProblemCode.IDEMPOTENCY_IN_FLIGHT, "key", NOTHING);
        Claim claim = Objects.requireNonNull(first.claim());
        claim.save(position(1), 0, NOTHING);
        claim.breakOff(true);

        assertProblem(ProblemCode.IDEMPOTENCY_MISMATCH, "key", position(7));
        var again = jobs.begin(KIND, NOTHING, "key");
        assertThat(again.job().id()).isEqualTo(first.job().id());
        assertThat(again.job().position()).isEqualTo(position(1));
        Objects.requireNonNull(again.claim()).ready(NOTHING, 1, NOTHING);
        var late = jobs.begin(KIND, NOTHING, "key");
        assertThat(late.claim()).isNull();
        assertThat(late.job().id()).isEqualTo(first.job().id());
    }

    @Test
    void theKeyOfAJobThatFailedBeginsAnother() {
        var first = jobs.begin(KIND, NOTHING, "key");
        Objects.requireNonNull(first.claim()).end(State.FAILED, NOTHING);

        var second = jobs.begin(KIND, NOTHING, "key");

        assertThat(second.claim()).isNotNull();
        assertThat(second.job().id()).isNotEqualTo(first.job().id());
    }

    @Test
    void ofWhatNeverCameNothingStays() {
        var first = jobs.begin(KIND, NOTHING, "key");
        Objects.requireNonNull(first.claim()).breakOff(true);

        assertThat(jobs.find(first.job().id())).isEmpty();
    }

    @Test
    void whatBrokeOffWithoutAKeyFailsAndWithOneWaits() {
        Claim without = Objects.requireNonNull(jobs.begin(KIND, NOTHING, null).claim());
        Claim with = Objects.requireNonNull(jobs.begin(KIND, NOTHING, "key").claim());
        without.save(position(1), 0, NOTHING);
        with.save(position(1), 0, NOTHING);
        without.breakOff(false);
        with.breakOff(true);

        assertThat(jobs.abandon(Duration.ofDays(1))).isZero();
        assertThat(jobs.find(without.id()).orElseThrow().state()).isEqualTo(State.FAILED);
        assertThat(jobs.find(with.id()).orElseThrow().state()).isEqualTo(State.WAITING);
        JDBC.update("update job set lease_until = clock_timestamp() - interval '2 days'");
        assertThat(jobs.abandon(Duration.ofDays(1))).isEqualTo(1);
        assertThat(jobs.find(with.id()).orElseThrow().report().at("/error").stringValue())
                .isNotBlank();
    }

    @Test
    void jobsAreForgottenLongAfterTheirEnd() {
        long job = ready();
        claimed().end(State.DONE, NOTHING);

        assertThat(jobs.forget(Duration.ofDays(1))).isZero();
        JDBC.update("update job set finished_at = clock_timestamp() - interval '2 days'");
        assertThat(jobs.forget(Duration.ofDays(1))).isEqualTo(1);
        assertThat(jobs.find(job)).isEmpty();
    }

    @Test
    void whatNeedsNothingMoreIsHeldByWhoeverBeganItAndThenByOthers() {
        var begun = jobs.start(KIND, position(1), "key");
        assertThat(jobs.claim(List.of(KIND))).isNull();
        assertThat(jobs.start(KIND, position(1), "key").claim()).isNull();
        leaseEnds();

        var joined = jobs.start(KIND, position(1), "key");
        assertThat(joined.claim()).isNull();
        assertThat(joined.job().id()).isEqualTo(begun.job().id());
        assertThat(claimed().id()).isEqualTo(begun.job().id());
    }

    @Test
    void whatEndsWithoutATraceIsNeitherToldNorFoundAgain() {
        var begun = jobs.start(KIND, position(1), "key");
        Claim claim = Objects.requireNonNull(begun.claim());
        claim.save(position(2), 1, NOTHING);
        claim.endWithoutTrace(position(3));

        Job job = jobs.find(claim.id()).orElseThrow();
        assertThat(job.state()).isEqualTo(State.DONE);
        assertThat(job.request()).isEqualTo(NOTHING);
        assertThat(job.position()).isEqualTo(NOTHING);
        assertThat(job.report()).isEqualTo(position(3));
        assertThat(jobs.start(KIND, position(1), "key").job().id()).isNotEqualTo(claim.id());
    }

    @Test
    void whatIsRedactedLeavesReportsAndRequestsAndAllElseStays() {
        JsonNode report =
                json(
                        """
                        {"rows":2,"ann":"x","bad":{"count":2,"first":[{"user_id":"ann"},
                         {"user_id":"annabel","reactions":["a"]}]},"none":{"first":[]}}
                        """);
        ready();
        Claim ended = claimed();
        ended.end(State.FAILED, report);
        JDBC.update("update job set request = '{\"user_id\":\"ann\"}'");

        jobs.redact("ann");

        Job job = jobs.find(ended.id()).orElseThrow();
        assertThat(job.request()).isEqualTo(NOTHING);
        assertThat(job.report())
                .isEqualTo(
                        json(
                                """
                                {"rows":2,"ann":"x","bad":{"count":2,"first":[
                                 {"user_id":"annabel","reactions":["a"]}]},"none":{"first":[]}}
                                """));
    }

    @Test
    void whoCarriesOnAJobThatIsRedactedLosesIt() {
        ready();
        Claim claim = claimed();
        ready();
        Claim other = claimed();
        claim.save(position(1), 1, json("{\"bad\":{\"first\":[{\"user_id\":\"ann\"}]}}"));

        jobs.redact("ann");

        assertThatThrownBy(() -> claim.save(position(2), 2, NOTHING))
                .isInstanceOf(ClaimLostException.class);
        other.save(position(2), 2, NOTHING);
        assertThat(claimed().id()).isEqualTo(claim.id());
    }

    @Test
    void whoMayBeAboutToNameSomebodyLosesTheJobToo() {
        jobs.start("tell", NOTHING, "key").claim().release();
        Claim claim = Objects.requireNonNull(jobs.claim(List.of("tell")));

        jobs.redact("ann");

        assertThatThrownBy(claim::renew).isInstanceOf(ClaimLostException.class);
    }

    /** Erasures themselves leave jobs, and each looks at those that name its user. */
    @Test
    void aRedactionFindsItsJobsByIndexesHoweverManyAreKept() {
        JDBC.execute(
                """
                insert into job (kind, state, ready, request, report, finished_at)
                select 'dig', 'done', true, '{}', '{"reactions": 3}', now()
                from   generate_series(1, 5000)
                """);
        jobs.start("tell", json("{\"user_id\":\"ben\"}"), "key");
        JDBC.execute("analyze job");
        String redact =
                Redaction.SQL
                        .replaceFirst("\\?", "'ann'")
                        .replaceFirst("any \\(\\?\\)", "any ('{tell}')");

        List<String> plan = TestPostgres.rows(JDBC, "explain (costs off) " + redact);

        assertThat(plan)
                .anyMatch(line -> line.contains("on job_naming_users"))
                .anyMatch(line -> line.contains("on job_unfinished"))
                .noneMatch(line -> line.contains("Seq Scan on job"));
    }

    /** Objects may have numbers for names, and users as well. */
    @Test
    void whatIsCalledLikeTheUserAndIsNoneStays() {
        JsonNode report =
                json(
                        """
                        {"bad":{"count":3,"first":[{"namespace_id":"12","entity_id":"12","kinds":9},
                         {"reaction_id":"12"},{"user_id":"1","reactions":["12"]}]}}
                        """);
        ready();
        Claim ended = claimed();
        ended.end(State.FAILED, report);
        JDBC.update("update job set request = '{\"entity_id\":\"12\"}'");

        jobs.redact("12");

        Job job = jobs.find(ended.id()).orElseThrow();
        assertThat(job.report()).isEqualTo(report);
        assertThat(job.request()).isEqualTo(json("{\"entity_id\":\"12\"}"));
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    private long ready() {
        Claim claim = Objects.requireNonNull(jobs.begin(KIND, NOTHING, null).claim());
        claim.ready(NOTHING, 10, NOTHING);
        return claim.id();
    }

    private Claim claimed() {
        return Objects.requireNonNull(jobs.claim(List.of(KIND)));
    }

    private static void leaseEnds() {
        JDBC.update("update job set lease_until = clock_timestamp() - interval '1 second'");
    }

    private void assertProblem(ProblemCode code, String key, JsonNode request) {
        assertThatThrownBy(() -> jobs.begin(KIND, request, key))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> assertThat(problem.code()).isEqualTo(code));
    }

    private static JsonNode position(int n) {
        return JsonNodeFactory.instance.objectNode().put("n", n);
    }
}
