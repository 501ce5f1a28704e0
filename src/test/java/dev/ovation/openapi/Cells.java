package dev.ovation.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.openapi.AccessTable.Caller;
import dev.ovation.openapi.AccessTable.Cell;
import dev.ovation.openapi.AccessTable.Row;
import dev.ovation.testing.ApiDocument;
import dev.ovation.testing.ExchangeJudge;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Instance.Exchange;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Tests the cells of the table of access: one operation, one caller, one way. */
final class Cells {

    private static final long SEED = 377;

    private final ApiDocument document;
    private final ExchangeJudge judge;
    private final Map<String, Request> made = new HashMap<>();
    private final Set<String> readPaths;

    Cells(ApiDocument document) {
        this.document = document;
        this.judge = new ExchangeJudge(document);
        this.readPaths =
                AccessTable.rows(document).stream()
                        .filter(Row::isRead)
                        .map(row -> row.operation().path())
                        .collect(Collectors.toSet());
    }

    /**
     * Sends the request and judges the answer.
     *
     * @param port of a service that has the operation
     * @throws AssertionError if the answer is not that of the table
     */
    void check(Row row, Caller caller, Way way, String credential, int port) {
        Request request = request(row, caller, credential);
        if (!way.fits(request) || way == Way.HEAD && isReadByAnother(row)) {
            return;
        }
        Exchange exchange = way.send(request, port);
        Answer answer = exchange.answer();
        String as = "%s %s %s: %s".formatted(caller, way, exchange, answer);
        Cell cell = row.cells().get(caller);
        assertThat(answer.status()).as(as).isLessThan(500);
        if (Way.TO_THE_OPERATION.contains(way)) {
            assertThat(row.seen(answer)).as(as).isEqualTo(cell);
            if (cell == Cell.OK) {
                assertThat(answer.status()).as(as).isNotIn(400, 405);
            }
            assertReason(row, caller, answer, as);
            if (way == Way.PLAIN || way == Way.HTTP_2) {
                judge.check(exchange);
            }
        } else if (!caller.isKnown() && cell != Cell.OK) {
            // The container refuses some paths before the authentication filter.
            assertThat(answer.status()).as(as).isIn(400, 401);
        } else if (cell == Cell.FORBIDDEN && way != Way.OPTIONS && !row.isRefusedInside()) {
            assertThat(answer.status()).as(as).isBetween(400, 499);
            if (way == Way.HEAD && row.isRead()) {
                assertThat(answer.status()).as(as).isEqualTo(403);
            }
        }
    }

    /** Whether its path also has a GET, which answers HEAD. */
    private boolean isReadByAnother(Row row) {
        return !row.isRead() && readPaths.contains(row.operation().path());
    }

    /** The request of a caller; only the credential and the user differ between callers. */
    Request request(Row row, Caller caller, String credential) {
        String user =
                !Guarded.isOfUsers(row.scope())
                        ? ""
                        : caller == Caller.OTHER ? Guarded.OTHER_USER : Guarded.USER;
        Request request = made.computeIfAbsent(row + " " + user, _ -> make(row, user));
        return credential.isEmpty()
                ? request
                : request.withHeader("Authorization", "Bearer " + credential);
    }

    private Request make(Row row, String user) {
        Request valid = new Requests(document, SEED).valid(row.operation());
        return user.isEmpty() ? valid : Actors.inTheNameOf(user, valid, document);
    }

    private static void assertReason(Row row, Caller caller, Answer answer, String as) {
        String challenge = header(answer, "WWW-Authenticate");
        if (answer.status() == 401) {
            assertThat(answer.json().get("code").stringValue()).as(as).isEqualTo("unauthenticated");
            assertThat(header(answer, "Cache-Control")).as(as).isEqualTo("no-store");
            assertThat(challenge)
                    .as(as)
                    .isEqualTo(
                            "Bearer realm=\"ovation\""
                                    + (caller == Caller.NONE ? "" : ", error=\"invalid_token\""));
        } else if (caller == Caller.LACKING && !row.isPublic()) {
            assertThat(answer.json().get("scope").stringValue()).isEqualTo(row.scope().label());
            assertThat(challenge).as(as).contains("insufficient_scope");
        } else if (caller == Caller.OTHER && row.seen(answer) == Cell.FORBIDDEN) {
            assertThat(answer.body())
                    .as(as)
                    .containsAnyOf("\"user_id\":\"8\"", "\"uid\":8", "\"scope\"");
        }
    }

    private static String header(Answer answer, String name) {
        return answer.headers().entrySet().stream()
                .filter(each -> each.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }
}
