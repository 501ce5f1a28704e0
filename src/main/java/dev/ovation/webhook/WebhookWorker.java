package dev.ovation.webhook;

import dev.ovation.start.StartPhase;
import dev.ovation.start.StoppedBeside;
import dev.ovation.store.postgres.PostgresReason;
import dev.ovation.webhook.WebhookTable.Held;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Sends the changes of all webhooks, each webhook on a thread of its own. */
final class WebhookWorker implements StoppedBeside {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookWorker.class);

    /** Webhooks that an instance serves at the same time. */
    private static final int MOST = 16;

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration MEASURED = Duration.ofSeconds(5);

    private final WebhookTable webhooks;
    private final Delivery delivery;
    private final WebhookMetrics metrics;
    private final WebhookSettings.WebhookConstants settings;
    private final Semaphore free = new Semaphore(MOST);
    private final Set<Thread> senders = ConcurrentHashMap.newKeySet();
    private volatile CountDownLatch stopping = new CountDownLatch(0);
    private @Nullable Thread thread;

    WebhookWorker(
            WebhookTable webhooks,
            Delivery delivery,
            WebhookMetrics metrics,
            WebhookSettings.WebhookConstants settings) {
        this.webhooks = webhooks;
        this.delivery = delivery;
        this.metrics = metrics;
        this.settings = settings;
    }

    @Override
    public synchronized void start() {
        stopping = new CountDownLatch(1);
        thread = Thread.ofPlatform().name("webhooks").start(this::run);
    }

    /** Ends after the attempts under way; those that take longer end with the process. */
    @Override
    public synchronized void stop() {
        stopping.countDown();
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            if (thread != null) {
                var _ = thread.join(PATIENCE);
            }
            senders.forEach(Thread::interrupt);
            for (Thread sender : senders) {
                var _ = sender.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return stopping.getCount() > 0;
    }

    @Override
    public int getPhase() {
        return StartPhase.BACKGROUND;
    }

    private void run() {
        long measured = System.nanoTime() - MEASURED.toNanos();
        try {
            do {
                try {
                    if (System.nanoTime() - measured >= MEASURED.toNanos()) {
                        measured = System.nanoTime();
                        measure();
                    }
                    sendAll();
                } catch (RuntimeException e) {
                    LOG.debug("No webhook can be acquired now: {}", PostgresReason.of(e));
                }
            } while (!stopping.await(settings.poll().toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            LOG.debug("Webhooks are not served any more");
        }
    }

    /** Begins to send for each webhook that has changes, as far as there are free threads. */
    private void sendAll() {
        boolean more = true;
        while (more && stopping.getCount() > 0 && free.tryAcquire()) {
            Held held = null;
            try {
                held = webhooks.acquire(settings.lease());
            } finally {
                if (held == null) {
                    free.release();
                }
            }
            more = held != null;
            if (held != null) {
                begin(held);
            }
        }
    }

    private void begin(Held held) {
        Thread sender = Thread.ofVirtual().name("webhook").unstarted(() -> send(held));
        senders.add(sender);
        sender.start();
    }

    private void send(Held held) {
        try {
            delivery.run(held, this::isRunning);
        } catch (InterruptedException e) {
            LOG.debug("A webhook is left to other instances");
        } catch (RuntimeException e) {
            LOG.debug("A webhook waits for the end of its lease: {}", PostgresReason.of(e));
        } finally {
            senders.remove(Thread.currentThread());
            free.release();
        }
    }

    private void measure() {
        metrics.note(webhooks.backlog());
    }
}
