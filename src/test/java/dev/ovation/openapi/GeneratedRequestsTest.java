package dev.ovation.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.ApiDocument;
import dev.ovation.testing.ApiDocument.Operation;
import dev.ovation.testing.Instance.Exchange;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.report.Seed;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.stream.LongStream;

/**
 * Sends valid and broken requests that are generated from the document. They are the same each
 * time; {@code -Dseed=7} sends others.
 */
@ExtendWith(TwoInstances.class)
class GeneratedRequestsTest {

    private static final long SEED = Seed.from("seed", 377);
    private static final int VALID = 17;
    private static final int BROKEN = 3;

    private final ApiDocument document = TwoInstances.document();

    static List<Operation> operations() {
        return TwoInstances.document().operations();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void validGeneratedRequestsAreNeverMalformed(Operation operation) {
        LongStream.range(SEED, SEED + VALID)
                .forEach(
                        seed -> {
                            Request request = new Requests(document, seed).valid(operation);
                            Exchange exchange = send(request);
                            assertThat(exchange.answer().status())
                                    .as("%s%n%s", request, exchange.answer())
                                    .isNotEqualTo(400)
                                    .isLessThan(500);
                        });
    }

    @ParameterizedTest
    @MethodSource("operations")
    void brokenGeneratedRequestsCauseNoServerError(Operation operation) {
        for (Breakage breakage : Breakage.values()) {
            LongStream.range(SEED, SEED + BROKEN)
                    .forEach(
                            seed -> {
                                Request valid = new Requests(document, seed).valid(operation);
                                Request request =
                                        Requests.harmless(
                                                breakage.spoil(valid, new Oddities(seed)));
                                assertThat(send(request).answer().status())
                                        .as("%s %s", breakage, request)
                                        .isLessThan(500);
                            });
        }
    }

    /** Checks that the document describes the answer. */
    private static Exchange send(Request request) {
        Exchange exchange = request.sendTo(TwoInstances.one().port());
        TwoInstances.judge().check(exchange);
        return exchange;
    }
}
