package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.faults.Crowd;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A reply is lost after the script, on its way from Redis, or after the commit, on its way to the
 * client. The client retries in every possible way.
 */
@Beside
@ExtendWith(Pair.class)
class LostReplyTest {

    /** The reply that is lost. */
    enum Lost {
        AFTER_SCRIPT,
        AFTER_COMMIT
    }

    /** The request; {@link #before} is the user's state before it, and after its opposite. */
    enum Operation {
        ADD("POST", "/reactions", List.of(), List.of("👍")),
        FORCED_ADD("POST", "/reactions?force=true", List.of("👎"), List.of("👍")),
        REMOVE("DELETE", "/reactions", List.of("👍"), List.of()),
        PUT("PUT", "/reactions", List.of("🔥", "👎"), List.of("🔥", "👍"));

        private final String method;
        private final String path;
        private final List<String> before;
        private final List<String> after;

        Operation(String method, String path, List<String> before, List<String> after) {
            this.method = method;
            this.path = path;
            this.before = before;
            this.after = after;
        }

        private Answer send(int port, String entity, String... headers) {
            String body =
                    this == PUT
                            ? Instance.setBody(POSTS, entity, "ann", after)
                            : body(entity, "👍");
            return Instance.sendTo(port, method, path, body, headers);
        }

        private Answer undo(Instance through, String entity) {
            return switch (this) {
                case ADD -> through.send("DELETE", path, body(entity, "👍"));
                case FORCED_ADD -> through.send("POST", path, body(entity, "👎"));
                case REMOVE -> through.send("POST", path, body(entity, "👍"));
                case PUT ->
                        through.send("PUT", path, Instance.setBody(POSTS, entity, "ann", before));
            };
        }

        private static String body(String entity, String reaction) {
            return Instance.body(POSTS, entity, "ann", reaction);
        }
    }

    /** One way to retry. */
    record Retry(Lost lost, Operation operation, boolean keyed, boolean elsewhere, boolean undone) {

        private String[] headers() {
            var headers = new ArrayList<>(List.of("Prefer", "return=representation"));
            if (keyed) {
                headers.addAll(
                        List.of(
                                "Idempotency-Key",
                                String.join(
                                        "-",
                                        lost.name(),
                                        operation.name(),
                                        "" + elsewhere,
                                        "" + undone)));
            }
            return headers.toArray(String[]::new);
        }
    }

    /** For operations other than the plain add, retries alternate between the instances. */
    static List<Retry> everyWay() {
        var all = new ArrayList<Retry>();
        for (var lost : Lost.values()) {
            for (var operation : Operation.values()) {
                for (int bits = 0; bits < 8; bits++) {
                    boolean keyed = (bits & 1) > 0;
                    all.add(new Retry(lost, operation, keyed, (bits & 2) > 0, (bits & 4) > 0));
                }
            }
        }
        all.removeIf(one -> one.operation() != Operation.ADD && one.elsewhere() == one.undone());
        return all;
    }

    @ParameterizedTest
    @MethodSource("everyWay")
    void theRetryOfAChangeThatWasMadeDoesNotMakeItTwice(Retry retry) {
        String entity = retry.toString();
        var operation = retry.operation();
        operation.before.forEach(reaction -> Pair.other().add(POSTS, entity, "ann", reaction));
        Pair.other().add(POSTS, entity, "zoe", "🔥"); // so that Redis has it in any case
        Pair.stage().awaitDrained();
        long before = Pair.version(entity);

        sendInVain(retry, entity);
        Pair.stage().awaitDrained();
        assertThat(Pair.version(entity)).as("the change was made").isEqualTo(before + 1);
        assertThat(stored(entity)).isEqualTo(operation.after);
        if (retry.undone()) {
            assertThat(operation.undo(Pair.other(), entity).status()).isEqualTo(200);
        }
        long now = Pair.version(entity);

        var through = retry.elsewhere() ? Pair.other() : Pair.one().attached();
        // The broken link to Redis may not have been detected yet.
        var answer = Pair.unrefused(() -> operation.send(through.port(), entity, retry.headers()));

        if (retry.keyed()) {
            assertIsTheFirstAnswer(answer, operation);
            assertThat(stored(entity))
                    .isEqualTo(retry.undone() ? operation.before : operation.after);
            assertThat(Pair.version(entity)).isEqualTo(now);
        } else if (retry.undone()) {
            assertThat(answer.status()).as("a change of its own").isEqualTo(200);
            assertThat(stored(entity)).isEqualTo(operation.after);
            assertThat(Pair.version(entity)).isEqualTo(now + 1);
        } else {
            assertSaysThatItIsSo(answer, operation);
            assertThat(stored(entity)).isEqualTo(operation.after);
            assertThat(Pair.version(entity)).isEqualTo(now);
        }
    }

    private static void sendInVain(Retry retry, String entity) {
        if (retry.lost() == Lost.AFTER_SCRIPT) {
            // Only the script has the user as a part of a change, not a late acknowledgement.
            Pair.redisLink().loseReply(RedisSchema.PART + "ann" + RedisSchema.PART);
            var answer = retry.operation().send(Pair.one().port(), entity, retry.headers());
            assertThat(Crowd.code(answer)).isEqualTo("outcome-unknown");
            assertThat(Pair.redisLink().hasLost()).isTrue();
        } else {
            Pair.clientLink().loseReply(entity);
            int port = Pair.clientLink().port();
            assertThatThrownBy(() -> retry.operation().send(port, entity, retry.headers()))
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(Pair.clientLink().hasLost()).isTrue();
        }
        Wait.until("the change is made", () -> !stored(entity).equals(retry.operation().before));
    }

    private static void assertIsTheFirstAnswer(Answer answer, Operation operation) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        var json = answer.json();
        assertThat(json.at("/outcome").asString()).isEqualTo("applied");
        assertThat(texts(json.at("/entity/user_reactions/reactions"))).isEqualTo(operation.after);
    }

    private static void assertSaysThatItIsSo(Answer answer, Operation operation) {
        if (operation == Operation.REMOVE || operation == Operation.PUT) {
            assertThat(answer.json().at("/outcome").asString()).isEqualTo("unchanged");
        } else {
            assertThat(Crowd.code(answer)).isEqualTo("reaction-already-exists");
        }
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }

    private static List<String> stored(String entity) {
        return Pair.stage().stored(POSTS, entity, "ann");
    }
}
