package dev.ovation.reaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.web.RawHttp.Reply;
import dev.ovation.web.problem.Problems;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.TransactionSystemException;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The fast path has the same answers as Spring MVC. For Spring an escape does not change the path,
 * but the fast path does not match it.
 */
class HotAndOrdinaryWayTest extends ReactionsHttpFixture {

    private static final String OTHER_IDS = IDS.replace("\"r\"", "\"r2\"");
    private static final String SET =
            IDS.replace("\"reaction_id\":\"r\"", "\"reaction_ids\":[\"r\"]");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "GET    | ?namespace_id=namespace&entity_id=e                        | - | -",
                "GET    | ?namespace_id=namespace&entity_id=e&user_id=u              | - | -",
                "GET    | ?namespace_id=namespace&entity_id=e&user_id=u&details=true | - | -",
                "GET    | ?namespace_id=namespace&entity_id=never-seen               | - | -",
                "GET    | ?namespace_id=namespace&entity_id=e      | - | If-None-Match: *",
                "GET    | ?namespace_id=namespace&entity_id=e      | - | If-None-Match: \"other\"",
                "GET    | ?namespace_id=unknown&entity_id=e                          | - | -",
                "GET    | -                                                          | - | -",
                "GET    | ?namespace_id=a%20b&entity_id=&details=yes                 | - | -",
                "GET    | ?namespace_id=namespace&entity_id=%ff                      | - | -",
                "POST   | -                    | other | -",
                "POST   | -                    | other | Prefer: return=representation",
                "POST   | -                    | other | Idempotency-Key: a key",
                "POST   | -                    | other | Content-Type: application/x-www-form-urlencoded",
                "POST   | -                    | same  | -",
                "POST   | ?if_exists=ok        | same  | -",
                "POST   | ?force=maybe         | same  | -",
                "POST   | -                    | {     | -",
                "POST   | -                    | -     | -",
                "DELETE | -                    | same  | -",
                "DELETE | -                    | same  | Content-Type: application/x-www-form-urlencoded",
                "DELETE | ?entity_id=another   | same  | -",
                "DELETE | ?namespace_id=namespace&entity_id=e&user_id=u&reaction_id=r | - | -",
                "DELETE | -                    | -     | -",
                "PUT    | -                    | set   | -",
                "PUT    | -                    | set   | If-Match: *",
                "PUT    | -                    | set   | If-Match: abc",
                "PUT    | -                    | set   | Content-Type: application/x-www-form-urlencoded",
                "PUT    | -                    | same  | -",
                "PUT    | -                    | -     | -",
                "POST   | /batch | {\"operations\":[]}       | -",
                "POST   | /batch | {\"operations\":[{},7]}   | -",
                "POST   | /batch | {\"operations\":[{},7]}   | Idempotency-Key: a key",
                "POST   | /query | {\"namespace_id\":\"namespace\",\"entities\":[\"e\"]} | -",
                "POST   | /query | {\"namespace_id\":\"namespace\",\"entities\":[\"e\"]} | If-None-Match: *",
                "POST   | /query | {\"namespace_id\":\"unknown\",\"entities\":[\"e\"]}   | -",
                "POST   | /query | {\"namespace_id\":\"namespace\",\"entities\":[5]}     | -",
                "POST   | /query | [ | -"
            })
    void aRequestIsAnsweredTheSameWay(String method, String target, String body, String line) {
        String[] lines = line == null ? new String[0] : new String[] {line};
        assertSame(() -> {}, method, target == null ? "" : target, sent(body), lines);
    }

    private static String sent(String body) {
        return body == null
                ? ""
                : switch (body) {
                    case "same" -> IDS;
                    case "other" -> OTHER_IDS;
                    case "set" -> SET;
                    default -> body;
                };
    }

    @ParameterizedTest
    @MethodSource
    void aFailureIsAnsweredTheSameWay(RuntimeException failure) {
        assertSame(() -> reactions.nextFailure = failure, "POST", "", OTHER_IDS);
    }

    static Stream<RuntimeException> aFailureIsAnsweredTheSameWay() {
        return Stream.of(
                Problems.unavailable("not now", Duration.ofSeconds(7)),
                Problems.outcomeUnknown("who knows", Duration.ofSeconds(7)),
                Problems.conflicting("r", List.of("r2")),
                new DataAccessResourceFailureException("gone"),
                new TransactionSystemException("lost"),
                new IllegalStateException("a bug"));
    }

    private void assertSame(
            Runnable before, String method, String target, String body, String... lines) {
        String[] all = Arrays.copyOf(lines, lines.length + 1);
        all[lines.length] = "X-Request-Id: the-same";
        Reply hot = answer(before, method, "/reactions" + target, body, all);
        Reply ordinary = answer(before, method, "/%72eactions" + target, body, all);

        assertThat(hot.header("Way")).isNull();
        assertThat(ordinary.header("Way")).isEqualTo("ordinary");
        assertThat(ordinary.status()).isEqualTo(hot.status());
        assertThat(ordinary.body()).isEqualTo(hot.body());
        assertThat(headers(ordinary)).isEqualTo(headers(hot));
    }

    /** Each time the user has one reaction before. */
    private Reply answer(
            Runnable before, String method, String target, String body, String... lines) {
        reactions.forget();
        assertThat(send("POST", "/reactions", IDS).status()).isEqualTo(200);
        before.run();
        return send(method, target, body, lines);
    }

    private static List<String> headers(Reply reply) {
        return reply.header().stream()
                .filter(line -> !line.startsWith("Date:") && !line.startsWith("Way:"))
                .sorted()
                .toList();
    }
}
