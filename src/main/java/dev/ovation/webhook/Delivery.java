package dev.ovation.webhook;

import dev.ovation.hot.state.UniqueNames;
import dev.ovation.store.log.LogPositions;
import dev.ovation.store.log.LogReader;
import dev.ovation.store.log.LogReader.ExpiredException;
import dev.ovation.store.log.LogRow;
import dev.ovation.web.http.Json;
import dev.ovation.webhook.Webhook.Message;
import dev.ovation.webhook.WebhookTable.Held;
import dev.ovation.webhook.send.Signature;
import dev.ovation.webhook.send.WebhookSender;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Sends the changes of one webhook, message after message, while its lease is held. */
final class Delivery {

    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

    /** Reads of the log for one message; those without an event move the cursor, too. */
    private static final int READS = 20;

    private static final String PURGED = "changes were purged before they were sent";

    private final WebhookTable webhooks;
    private final LogReader reader;
    private final CloudEvents events;
    private final WebhookSender sender;
    private final WebhookSettings.WebhookConstants settings;
    private final WebhookMetrics metrics;

    Delivery(
            WebhookTable webhooks,
            LogReader reader,
            CloudEvents events,
            WebhookSender sender,
            WebhookSettings.WebhookConstants settings,
            WebhookMetrics metrics) {
        this.webhooks = webhooks;
        this.reader = reader;
        this.events = events;
        this.sender = sender;
        this.settings = settings;
        this.metrics = metrics;
    }

    /**
     * Sends the messages of a held webhook until none is left or one fails, and releases the
     * webhook.
     *
     * @param mayContinue whether another message may follow
     * @throws InterruptedException before an attempt; then nothing is sent
     */
    void run(Held held, BooleanSupplier mayContinue) throws InterruptedException {
        Webhook webhook = held.webhook();
        LogPositions place = webhook.positions();
        try {
            do {
                if (webhook.message() == null) {
                    linger(webhook);
                }
                place = send(new Held(webhook, held.holder()));
                webhook = place == null ? webhook : webhook.at(place);
            } while (place != null && place.to(reader.end()) > 0 && mayContinue.getAsBoolean());
        } catch (ExpiredException e) {
            LOG.warn("A webhook is too far behind: {}", PURGED);
            webhooks.move(held, reader.start(), false, PURGED);
        } finally {
            if (place != null) {
                webhooks.release(held);
            }
        }
    }

    /** Lets changes come together, unless there are enough. */
    private void linger(Webhook webhook) throws InterruptedException {
        if (webhook.positions().to(reader.end()) < webhook.target().max()) {
            Thread.sleep(webhook.target().delayMillis());
        }
    }

    /** Returns the next place; null when the webhook is not held any more. */
    private @Nullable LogPositions send(Held held) throws ExpiredException {
        Webhook webhook = held.webhook();
        LogPositions place = webhook.positions().copy();
        Message fixed = webhook.message();
        LogPositions end = fixed == null ? reader.end() : fixed.end();
        int most = fixed == null ? webhook.target().max() : Integer.MAX_VALUE;
        List<Map<String, Object>> batch = read(webhook, place, end, most);
        if (batch.isEmpty()) {
            return webhooks.move(held, place, false, null) ? place : null;
        }
        Message message = fixed == null ? new Message("msg_" + UniqueNames.next(), place) : fixed;
        boolean isHeld =
                fixed == null
                        ? webhooks.fix(held, message, settings.lease())
                        : webhooks.renew(held, settings.lease());
        return isHeld && attempt(held, message, batch) ? message.end() : null;
    }

    private List<Map<String, Object>> read(
            Webhook webhook, LogPositions place, LogPositions end, int most)
            throws ExpiredException {
        var batch = new ArrayList<Map<String, Object>>();
        int changes = 0;
        int reads = 0;
        while (changes < most
                && place.to(end) > 0
                && (most == Integer.MAX_VALUE || reads < READS)) {
            int limit = Math.min(most - changes, webhook.target().max());
            for (LogRow row : reader.read(place, end, limit)) {
                var wanted = events.of(row, webhook.target());
                changes += wanted.isEmpty() ? 0 : 1;
                batch.addAll(wanted);
            }
            reads++;
        }
        return batch;
    }

    /** Returns whether the message is delivered, and the webhook is still held. */
    private boolean attempt(Held held, Message message, List<Map<String, Object>> batch) {
        try {
            post(held.webhook(), message.id(), batch);
        } catch (IOException e) {
            String error = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            var retry = settings.retry(held.webhook().attempts() + 1);
            boolean isDead = webhooks.fail(held, batch.size(), error, retry, settings.giveUp());
            metrics.failed(isDead);
            LOG.debug("A message is not delivered: {}", error);
            return false;
        }
        metrics.delivered();
        return webhooks.move(held, message.end(), true, null);
    }

    /**
     * Posts a signed message.
     *
     * @throws IOException unless the answer is a 2xx
     */
    void post(Webhook webhook, String id, List<Map<String, Object>> batch) throws IOException {
        byte[] body = Json.bytes(batch);
        long now = Instant.now().getEpochSecond();
        var headers = new LinkedHashMap<String, String>();
        headers.put("Content-Type", CloudEvents.BATCH);
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", Long.toString(now));
        headers.put("webhook-signature", Signature.of(webhook.secret(), id, now, body));
        sender.post(webhook.target().url(), headers, body);
    }

    /**
     * Posts a message with a test event.
     *
     * @throws IOException unless the answer is a 2xx
     */
    void test(Webhook webhook) throws IOException {
        String id = "msg_" + UniqueNames.next();
        post(webhook, id, List.of(events.test(id)));
    }
}
