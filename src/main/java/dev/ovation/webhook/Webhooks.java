package dev.ovation.webhook;

import dev.ovation.store.log.LogPositions;
import dev.ovation.store.log.LogReader;
import dev.ovation.store.log.LogState;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;
import dev.ovation.webhook.DeadLetters.DeadLetter;
import dev.ovation.webhook.Webhook.Target;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Use cases of {@code /webhooks}. */
final class Webhooks {

    private final WebhookTable table;
    private final DeadLetters dead;
    private final Delivery delivery;
    private final LogReader reader;
    private final LogState state;
    private final PostgresBulkhead gate;

    Webhooks(
            WebhookTable table,
            DeadLetters dead,
            Delivery delivery,
            LogReader reader,
            LogState state,
            PostgresBulkhead gate) {
        this.table = table;
        this.dead = dead;
        this.delivery = delivery;
        this.reader = reader;
        this.state = state;
        this.gate = gate;
    }

    /**
     * A webhook and what it has yet to send.
     *
     * @param lag changes after its cursor, of all namespaces
     */
    record WebhookState(Webhook webhook, long lag, List<DeadLetter> deadLetters) {}

    /**
     * Creates a webhook, which is sent all changes that are committed later, or changes it.
     *
     * @param secret of a new webhook
     * @return whether it is new
     * @throws ProblemException 400 when there are too many
     */
    boolean put(String id, Target target, String secret) {
        return gate.ask(
                () -> {
                    if (table.change(id, target)) {
                        return false;
                    }
                    state.open();
                    if (table.create(id, target, secret, reader.end())) {
                        return true;
                    }
                    if (!table.change(id, target)) {
                        throw Problems.malformed(
                                "webhook_id",
                                "is one too many: there are %d webhooks"
                                        .formatted(WebhookTable.MOST));
                    }
                    return false;
                });
    }

    List<WebhookState> all() {
        return gate.ask(
                () -> {
                    LogPositions end = reader.end();
                    return table.all().stream().map(webhook -> state(webhook, end)).toList();
                });
    }

    private WebhookState state(Webhook webhook, LogPositions end) {
        return new WebhookState(webhook, webhook.positions().to(end), dead.of(webhook.id()));
    }

    /**
     * Deletes a webhook with its dead letters.
     *
     * @throws ProblemException 404 when there is none
     */
    void delete(String id) {
        if (!gate.<Boolean>ask(() -> table.delete(id))) {
            throw missing();
        }
    }

    /**
     * Sends a test event and returns null when it was delivered, otherwise the error.
     *
     * @throws ProblemException 404 when there is no such webhook
     */
    @Nullable String test(String id) {
        Webhook webhook = found(id);
        try {
            delivery.test(webhook);
            return null;
        } catch (IOException e) {
            return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
    }

    /**
     * Lets a webhook begin again at an earlier change, and deletes its dead letters.
     *
     * @param from microseconds since 1970; null for the first dead letter
     * @throws ProblemException 404 when there is no such webhook, 400 when it has no dead letter
     */
    WebhookState replay(String id, @Nullable Long from) {
        Webhook webhook = found(id);
        return gate.ask(
                () -> {
                    if (from == null && !dead.isAny(id)) {
                        throw Problems.malformed(
                                "from", "is missing, and the webhook has no dead letters");
                    }
                    LogPositions place =
                            from == null
                                    ? dead.before(id, webhook.positions(), reader.start())
                                    : reader.at(from);
                    table.setBack(id, place);
                    dead.delete(id);
                    return state(found(id), reader.end());
                });
    }

    private Webhook found(String id) {
        return gate.ask(() -> Optional.ofNullable(table.find(id))).orElseThrow(Webhooks::missing);
    }

    private static ProblemException missing() {
        return new ProblemException(ProblemCode.NOT_FOUND, "there is no such webhook");
    }
}
