package dev.ovation.chaos;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.LoopbackServer;
import dev.ovation.testing.TcpProxy;
import dev.ovation.testing.Wait;
import dev.ovation.testing.WebhookMessage;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;

/**
 * Receives all changes by a webhook, and judges them. It is down at times: it refuses messages, has
 * no connections, is silent, or its answer is lost.
 */
final class WebhookConsumer implements AutoCloseable {

    private static final Duration TOLERANCE = Duration.ofMinutes(5);
    private static final String ID = "chaos";

    private final EventJudge judge;
    private final List<Door> doors;
    private final Figures figures;
    private final Violations violations;
    private final Random random;
    private final HttpServer server;
    private final TcpProxy link;
    private boolean down;
    private volatile boolean refuses;
    private volatile String secret;

    WebhookConsumer(
            EventJudge judge, long seed, List<Door> doors, Figures figures, Violations violations) {
        this.judge = judge;
        this.doors = doors;
        this.figures = figures;
        this.violations = violations;
        this.random = new Random(seed * 31 + 3);
        server = LoopbackServer.create();
        server.createContext("/", this::receive);
        server.start();
        link = TcpProxy.before("127.0.0.1", server.getAddress().getPort());
    }

    /** Registers the webhook, before the first change. */
    void begin() {
        var body =
                Map.of(
                        "url",
                        "http://127.0.0.1:%d/changes".formatted(link.port()),
                        "kinds",
                        List.of("changed", "erased"),
                        "batch",
                        Map.of("max", 50, "delay_ms", 20));
        String text = JsonMapper.shared().writeValueAsString(body);
        String target = "/webhooks?webhook_id=" + ID;
        var door = doors.getFirst();
        Answer answer =
                Wait.until(
                        "a webhook is registered", // an instance that starts may refuse it
                        () -> {
                            door.send("DELETE", target, null); // of an attempt without an answer
                            return door.send("PUT", target, text);
                        },
                        // An answer without a secret is of a webhook that a late attempt
                        // registered.
                        each -> each.status() == 200 && each.json().at("/secret").isString());
        secret = answer.json().at("/secret").asString();
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            int status = refuses ? 503 : 200;
            var message = WebhookMessage.of(exchange, status);
            if (status == 200) {
                judgeSafely(message);
            }
            figures.ended(null, true, status == 200 ? "message" : "message refused", false);
            exchange.sendResponseHeaders(status, -1);
        }
    }

    /** A failure of the judge is a violation: the server that calls it would drop it. */
    private void judgeSafely(WebhookMessage message) {
        try {
            judge(message, secret);
        } catch (RuntimeException | Error e) {
            violations.add("%s cannot be judged: %s".formatted(message, Load.trace(e)));
        }
    }

    /** Judges a message that is not refused. */
    void judge(WebhookMessage message, String secret) {
        if (!message.expectedSignature(secret).equals(message.signature())) {
            violations.add("a message of the webhook has another signature: " + message);
            return;
        }
        long age = System.currentTimeMillis() / 1000 - Long.parseLong(message.timestamp());
        if (Math.abs(age) > TOLERANCE.toSeconds()) {
            violations.add("a message of the webhook is of another time: " + message);
        }
        for (JsonNode event : message.events()) {
            var data = (ObjectNode) event.at("/data").deepCopy();
            judge.received(data.put("id", event.at("/id").asString()), "a webhook");
        }
    }

    /** Goes down or up by chance. */
    void act() {
        if (down) {
            if (random.nextInt(4) == 0) {
                up();
            }
        } else if (random.nextInt(6) == 0) {
            down = true;
            switch (random.nextInt(4)) {
                case 0 -> refuses = true;
                case 1 -> link.cut();
                case 2 -> link.blackHole();
                default -> link.loseReply("POST");
            }
        }
    }

    private void up() {
        down = false;
        refuses = false;
        link.mend();
    }

    /** Waits until the events make up what is stored. */
    void end(Callable<Snapshot> stored, Duration bound) {
        up();
        Wait.until(
                "the webhook was sent all that is stored",
                bound,
                () -> judge.differences(stored.call()),
                List::isEmpty);
        var answers = new ArrayList<Answer>();
        Wait.until(
                "the list of webhooks is answered",
                bound,
                () ->
                        answers.add(doors.getFirst().send("GET", "/webhooks", null))
                                && answers.getLast().status() != 503);
        judgeList(answers.getLast());
    }

    /** Judges the list of webhooks: it has the webhook of this consumer, without a dead letter. */
    void judgeList(Answer answer) {
        List<JsonNode> letters =
                answer.status() != 200
                        ? List.of()
                        : answer.json()
                                .at("/webhooks")
                                .valueStream()
                                .filter(hook -> hook.at("/webhook_id").asString("").equals(ID))
                                .map(hook -> hook.at("/dead_letters"))
                                .toList();
        if (letters.size() != 1 || !letters.getFirst().isArray()) {
            violations.add("the dead letters of the webhook are not shown: " + answer);
        } else if (!letters.getFirst().isEmpty()) {
            violations.add("the webhook has dead letters: " + letters.getFirst());
        }
    }

    /** Port of the link to this consumer. */
    int port() {
        return link.port();
    }

    @Override
    public void close() {
        link.close();
        server.stop(0);
    }
}
