package dev.ovation.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.access.Policy;
import dev.ovation.access.Principal;
import dev.ovation.access.Rate;
import dev.ovation.access.Scope;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import jakarta.servlet.http.HttpServletRequest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class RateLimitsTest {

    private static final Consumer<HttpServletRequest> NOTHING_MORE = _ -> {};
    private static final Pattern ITEM = Pattern.compile("\"([a-z-]+)\";r=(\\d+);t=(\\d+)");
    private static final Principal ANN = Principal.user("ann", Set.of(), null);
    private static final Principal BOB = Principal.user("bob", Set.of(), null);

    private final TestMeter clock = new TestMeter();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RateLimits limits =
            new RateLimits(
                    Map.of(
                            Policy.USER_READS, Rate.of("300/10s"),
                            Policy.USER_WRITES, Rate.of("3/1m"),
                            Policy.ADDRESS, Rate.of("2/1m"),
                            Policy.ERASURES, Rate.of("2/1m")),
                    new Refusals(registry),
                    clock);

    /** The status is 200 if the request was not refused. */
    private record Answer(int status, String policies, String limit, String retryAfter) {

        long left() {
            return item(2);
        }

        long seconds() {
            return item(3);
        }

        String policy() {
            return limit.split("\"", 3)[1];
        }

        private long item(int group) {
            Matcher item = ITEM.matcher(limit);
            assertThat(item.matches()).as(limit).isTrue();
            return Long.parseLong(item.group(group));
        }
    }

    @Test
    void aQuotaIsSpentAndFillsEvenly() {
        for (int left = 2; left >= 0; left--) {
            Answer answer = write(ANN);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.policies()).isEqualTo("\"user-writes\";q=3;w=60");
            assertThat(answer.limit()).isEqualTo("\"user-writes\";r=%d;t=20".formatted(left));
        }
        Answer refused = write(ANN);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.policies()).isEqualTo("\"user-writes\";q=3;w=60");
        assertThat(refused.limit()).isEqualTo("\"user-writes\";r=0;t=20");
        assertThat(refused.retryAfter()).isEqualTo("20");

        clock.advance(Duration.ofSeconds(20).minusNanos(1));
        refused = write(ANN);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.retryAfter()).isEqualTo("1");

        clock.advance(Duration.ofNanos(1));
        assertThat(write(ANN).status()).isEqualTo(200);
        assertThat(write(ANN).status()).isEqualTo(429);
    }

    /** An unused quota is evicted after its window, here a minute, because it is full then. */
    @Test
    void theTokensOfAUserShareAQuotaThatIsInUseForLongerThanItsWindow() {
        for (int i = 0; i < 5; i++) {
            assertThat(write(ANN).status()).isEqualTo(200);
            while (write(ANN).status() == 200) {} // the rest
            clock.advance(Duration.ofSeconds(20));
        }
        assertThat(write(ANN).status()).isEqualTo(200);

        assertThat(write(Principal.user("ann", Set.of(), null)).status()).isEqualTo(429);
    }

    /** Here 3 writes a minute: the second and third, at 29 s, find the quota without the cache. */
    @Test
    void aQuotaStaysUntilItIsFullAfterItsLastUse() {
        assertThat(write(ANN).status()).isEqualTo(200);
        clock.advance(Duration.ofSeconds(29));
        while (write(ANN).status() == 200) {} // the rest
        clock.advance(Duration.ofSeconds(31).plusNanos(1));

        assertThat(write(ANN).left()).isZero(); // of one that came back since
    }

    /** At any time {@code r} requests fit and no more; after {@code t} seconds one more does. */
    @ParameterizedTest
    @CsvSource({"30/10s", "1/1s", "7/3s", "999/1h", "50/1s"})
    void theHeadersMatchTheAdmittedRequests(String rate) {
        Principal key =
                Principal.backend("key", Set.of(), null, Map.of(Policy.KEY_WRITES, Rate.of(rate)));
        var random = new Random(377);
        for (int i = 0; i < 200; i++) {
            clock.advance(Duration.ofNanos(random.nextLong(3_000_000_000L)));
            Answer answer = write(key);
            if (answer.status() != 200) {
                clock.advance(Duration.ofSeconds(Long.parseLong(answer.retryAfter())));
                assertThat(write(key).status()).isEqualTo(200);
                continue;
            }
            for (long left = answer.left(); left > 0; left--) {
                assertThat(write(key).left()).as("%d of %s", left, answer).isEqualTo(left - 1);
            }
            Answer refused = write(key);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.left()).isZero();
            assertThat(refused.seconds()).isEqualTo(Long.parseLong(refused.retryAfter()));
            clock.advance(Duration.ofSeconds(refused.seconds()));
            assertThat(write(key).status()).isEqualTo(200);
        }
    }

    @Test
    void aBatchCostsAUnitForEachOperationOrNothing() {
        assertThat(write(ANN).left()).isEqualTo(2);

        Answer refused = send(ANN, Scope.REACTIONS_WRITE, operations("ann", "ann", "ann"));
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.left()).isEqualTo(2);
        assertThat(refused.retryAfter()).isEqualTo("20");

        Answer fits = send(ANN, Scope.REACTIONS_WRITE, operations("ann", "ann"));
        assertThat(fits.status()).isEqualTo(200);
        assertThat(fits.left()).isZero();
    }

    @Test
    void aBatchFitsAfterRetryAfter() {
        assertThat(write(ANN).status()).isEqualTo(200);
        assertThat(write(ANN).status()).isEqualTo(200);
        var batch = operations("ann", "ann", "ann");
        Answer refused = send(ANN, Scope.REACTIONS_WRITE, batch);
        assertThat(refused.limit()).isEqualTo("\"user-writes\";r=1;t=20");
        assertThat(refused.retryAfter()).isEqualTo("40");

        clock.advance(Duration.ofSeconds(40).minusNanos(1));
        assertThat(send(ANN, Scope.REACTIONS_WRITE, batch).status()).isEqualTo(429);
        clock.advance(Duration.ofNanos(1));
        assertThat(send(ANN, Scope.REACTIONS_WRITE, batch).status()).isEqualTo(200);
    }

    @Test
    void aBatchLargerThanTheQuotaIsA400WithoutRetryAfter() {
        Answer answer = send(ANN, Scope.REACTIONS_WRITE, operations("ann", "ann", "ann", "ann"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.retryAfter()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "10, 1", "11, 2", "200, 20"})
    void aQueryCostsAUnitForEachTenEntities(int entities, int units) {
        Answer answer =
                send(
                        ANN,
                        Scope.REACTIONS_READ,
                        request -> Charge.entities(request, "entities", entities, "ann"));

        assertThat(answer.left()).isEqualTo(300 - units);
    }

    @Test
    void oneCallerLeavesTheOthersTheirs() {
        exhaust(ANN);

        assertThat(write(BOB).left()).isEqualTo(2);
        assertThat(send(ANN, Scope.REACTIONS_READ, NOTHING_MORE).status()).isEqualTo(200);
        assertThat(write(ANN).status()).isEqualTo(429);
    }

    @Test
    void aKeyHasNoLimitUnlessItsEntryHasOne() {
        Principal key = key("feed", Map.of());
        for (int i = 0; i < 1000; i++) {
            Answer answer =
                    send(key, Scope.REACTIONS_WRITE, request -> Charge.user(request, "ann"));
            assertThat(answer).isEqualTo(new Answer(200, null, null, null));
        }
    }

    @Test
    void theTighterLimitOfAKeyAndItsUserIsReported() {
        Principal key =
                key(
                        "feed",
                        Map.of(
                                Policy.KEY_WRITES, Rate.of("4/1m"),
                                Policy.USER_WRITES, Rate.of("2/1m")));

        Answer first = writeAs("ann", key);
        assertThat(first.policies()).isEqualTo("\"key-writes\";q=4;w=60, \"user-writes\";q=2;w=60");
        assertThat(first.limit()).isEqualTo("\"user-writes\";r=1;t=30");
        assertThat(writeAs("ann", key).status()).isEqualTo(200);
        Answer refused = writeAs("ann", key);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.policy()).isEqualTo("user-writes");
        Answer other = writeAs("bob", key);
        assertThat(other.limit())
                .as("the refused one cost nothing")
                .isEqualTo("\"key-writes\";r=1;t=15");
        assertThat(writeAs("cleo", key).status()).isEqualTo(200);
        refused = writeAs("dan", key);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.policy()).isEqualTo("key-writes");
        assertThat(write(ANN).left()).as("by a token").isEqualTo(2);
    }

    @Test
    void aBatchForManyUsersCostsEachOfThemOrNone() {
        Principal key = key("feed", Map.of(Policy.USER_WRITES, Rate.of("2/1m")));
        assertThat(writeAs("bob", key).status()).isEqualTo(200);

        Answer refused = send(key, Scope.REACTIONS_WRITE, operations("ann", "bob", "ann", "bob"));
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.left()).isEqualTo(1);
        Answer fits = send(key, Scope.REACTIONS_WRITE, operations("ann", "bob", "ann"));
        assertThat(fits.status()).isEqualTo(200);
        assertThat(fits.left()).isZero();
    }

    @Test
    void theViewersOfAKeyHaveALimitAsReaders() {
        Principal key = key("feed", Map.of(Policy.USER_READS, Rate.of("1/1m")));
        Consumer<HttpServletRequest> view = request -> Charge.user(request, "ann");

        assertThat(send(key, Scope.REACTIONS_READ, view).status()).isEqualTo(200);
        assertThat(send(key, Scope.CROWDS_READ, view).status()).isEqualTo(429);
        assertThat(send(key, Scope.CROWDS_READ, NOTHING_MORE).limit()).isNull();
        assertThat(send(key, Scope.REACTIONS_WRITE, view).limit()).isNull();
    }

    @Test
    void anonymousCallersHaveALimitByAddress() {
        Principal stranger = Principal.anonymous(Set.of(Scope.REACTIONS_READ), "");
        assertThat(from("192.0.2.1", stranger).limit()).isEqualTo("\"address\";r=1;t=30");
        assertThat(from("192.0.2.1", stranger).left()).isZero();

        assertThat(from("192.0.2.1", stranger).status()).isEqualTo(429);
        assertThat(from("192.0.2.2", stranger).left()).isEqualTo(1);
        assertThat(from("2001:db8:1:2::1", stranger).left()).isEqualTo(1);
        assertThat(from("2001:db8:1:2::2", stranger).left()).isZero();
    }

    @Test
    void erasuresHaveALimitOfTheirOwnForEachCaller() {
        Principal operator = key("operator", Map.of());
        assertThat(send(operator, Scope.ERASE, NOTHING_MORE).limit())
                .isEqualTo("\"erasures\";r=1;t=30");
        assertThat(send(operator, Scope.ERASE, NOTHING_MORE).left()).isZero();

        assertThat(send(operator, Scope.ERASE, NOTHING_MORE).status()).isEqualTo(429);
        assertThat(send(key("other", Map.of()), Scope.ERASE, NOTHING_MORE).left()).isEqualTo(1);
        assertThat(send(ANN, Scope.ERASE, NOTHING_MORE).left()).isEqualTo(1);
        Principal cleaner = key("cleaner", Map.of(Policy.ERASURES, Rate.NONE));
        assertThat(send(cleaner, Scope.ERASE, NOTHING_MORE).limit()).isNull();
    }

    @ParameterizedTest
    @EnumSource(
            value = Scope.class,
            names = {"PUBLIC", "TRANSFER", "CONFIGURE", "OPERATE", "METRICS"})
    void callsOfOperatorsHaveNoLimit(Scope scope) {
        for (Principal who : List.of(ANN, key("feed", Map.of(Policy.KEY_READS, Rate.of("1/1h"))))) {
            for (int i = 0; i < 3; i++) {
                assertThat(send(who, scope, NOTHING_MORE))
                        .isEqualTo(new Answer(200, null, null, null));
            }
        }
    }

    @Test
    void whereNoCredentialIsAskedForNothingIsLimited() {
        for (int i = 0; i < 10; i++) {
            assertThat(writeAs("ann", Principal.open()).limit()).isNull();
        }
    }

    @Test
    void refusalsAreCountedByPolicyAndCaller() {
        exhaust(ANN);
        var _ = write(ANN);
        Principal key = key("feed", Map.of(Policy.KEY_WRITES, Rate.of("1/1h")));
        exhaust(key);

        assertThat(limited("user-writes", "user")).isEqualTo(2);
        assertThat(limited("key-writes", "feed")).isEqualTo(1);
        assertThat(limited("address", "anonymous")).isZero();
    }

    private double limited(String policy, String principal) {
        return registry.get("ovation.requests.limited")
                .tags("policy", policy, "principal", principal)
                .counter()
                .count();
    }

    private void exhaust(Principal who) {
        Answer answer = write(who);
        while (answer.status() == 200) {
            answer = write(who);
        }
    }

    private Answer write(Principal who) {
        return send(who, Scope.REACTIONS_WRITE, NOTHING_MORE);
    }

    private Answer writeAs(String user, Principal who) {
        return send(who, Scope.REACTIONS_WRITE, request -> Charge.user(request, user));
    }

    private static Consumer<HttpServletRequest> operations(String... users) {
        return request ->
                Charge.operations(
                        request, "operations", users.length, List.of(users), Function.identity());
    }

    private static Principal key(String id, Map<Policy, Rate> limits) {
        return Principal.backend(id, Set.of(), null, limits);
    }

    private Answer send(Principal who, Scope scope, Consumer<HttpServletRequest> body) {
        return send("192.0.2.9", who, scope, body);
    }

    private Answer from(String address, Principal who) {
        return send(address, who, Scope.REACTIONS_READ, NOTHING_MORE);
    }

    private Answer send(
            String address, Principal who, Scope scope, Consumer<HttpServletRequest> body) {
        var request = new MockHttpServletRequest();
        var response = new MockHttpServletResponse();
        request.setRemoteAddr(address);
        who.enter(request);
        try {
            limits.charge(request, response, scope);
            body.accept(request);
        } catch (ProblemException e) {
            assertThat(e.outcome()).isEqualTo(ProblemException.WriteStatus.REFUSED);
            write(e, request, response);
            if (e.code() == ProblemCode.RATE_LIMITED) {
                String policy = String.valueOf(e.members().get("policy"));
                assertThat(response.getHeader("RateLimit")).startsWith('"' + policy + '"');
            }
        }
        return new Answer(
                response.getStatus(),
                response.getHeader("RateLimit-Policy"),
                response.getHeader("RateLimit"),
                response.getHeader("Retry-After"));
    }

    private static void write(
            ProblemException problem,
            MockHttpServletRequest request,
            MockHttpServletResponse response) {
        try {
            problem.answer(request).writeTo(request, response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
