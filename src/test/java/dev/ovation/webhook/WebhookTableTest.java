package dev.ovation.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;

import dev.ovation.store.log.LogPositions;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.Beside;
import dev.ovation.testing.TestPostgres;
import dev.ovation.webhook.Webhook.Message;
import dev.ovation.webhook.Webhook.Target;
import dev.ovation.webhook.WebhookTable.Held;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.util.List;

/** Table {@code webhook} on a real Postgres with two partitions, as two instances use it. */
@Beside
class WebhookTableTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final HikariDataSource SOURCE = pool();
    private static final Target TARGET =
            new Target(
                    "https://receiver.invalid/",
                    List.of("a", "b"),
                    List.of("changed", "milestone"),
                    List.of(3L, 9L),
                    7,
                    20);

    private final JdbcTemplate jdbc = new JdbcTemplate(SOURCE);
    private final WebhookTable table =
            new WebhookTable(
                    jdbc,
                    new TransactionTemplate(new JdbcTransactionManager(SOURCE)),
                    Shards.undivided());
    private final DeadLetters dead = new DeadLetters(jdbc);

    private static HikariDataSource pool() {
        var source = new HikariDataSource();
        source.setDataSource(TestPostgres.database());
        source.setMaximumPoolSize(2);
        return source;
    }

    @BeforeEach
    void aWebhookWithOneChangeToSend() {
        jdbc.execute("truncate partition, webhook cascade");
        jdbc.update("insert into partition (p, log_position) values (0, 5), (1, 6)");
        assertThat(table.create("hook", TARGET, "whsec_", at(5, 5))).isTrue();
    }

    private static LogPositions at(long... positions) {
        return new LogPositions(1, positions);
    }

    private Held acquired() {
        Held held = table.acquire(MINUTE);
        assertThat(held).isNotNull();
        return held;
    }

    private void endLeases() {
        jdbc.update("update webhook set lease_until = now() - interval '1 second'");
    }

    @Test
    void aWebhookComesBackAsItWas() {
        Webhook webhook = table.find("hook");

        assertThat(webhook.target()).isEqualTo(TARGET);
        assertThat(webhook.positions()).isEqualTo(at(5, 5));
        assertThat(webhook.message()).isNull();
        assertThat(table.create("hook", TARGET, "other", at(6, 6))).isFalse();
        assertThat(table.all()).hasSize(1);
        var all = new Target("https://other.invalid/", null, List.of("erased"), List.of(), 1, 0);
        assertThat(table.change("hook", all)).isTrue();
        assertThat(table.find("hook").target()).isEqualTo(all);
        assertThat(table.change("none", all)).isFalse();
    }

    @Test
    void aHeldWebhookIsNotAcquired() {
        Held held = acquired();
        assertThat(table.acquire(MINUTE)).isNull();
        table.release(held);
        assertThat(table.acquire(MINUTE)).isNotNull();
    }

    @Test
    void aWebhookWithoutChangesIsNotAcquired() {
        Held held = acquired();
        assertThat(table.move(held, at(5, 6), true, null)).isTrue();
        table.release(held);

        assertThat(table.acquire(MINUTE)).isNull();
        assertThat(table.find("hook").deliveredAt()).isNotNull();
    }

    /** As an instance that stood still for longer than its lease. */
    @Test
    void aHolderWithoutItsLeaseMovesNothing() {
        Held first = acquired();
        endLeases();
        Held second = acquired();
        assertThat(table.fix(second, new Message("msg", at(5, 6)), MINUTE)).isTrue();

        assertThat(table.fix(first, new Message("old", at(5, 6)), MINUTE)).isFalse();
        assertThat(table.renew(first, MINUTE)).isFalse();
        assertThat(table.move(first, at(9, 9), true, null)).isFalse();
        assertThat(table.fail(first, 1, "late", MINUTE, Duration.ZERO)).isFalse();
        table.release(first);
        assertThat(table.acquire(MINUTE)).as("the second holds it").isNull();
        assertThat(table.find("hook").message()).isEqualTo(new Message("msg", at(5, 6)));
        assertThat(table.find("hook").lastError()).isNull();
    }

    @Test
    void aSetBackTakesTheLeaseFromItsHolder() {
        Held held = acquired();
        table.setBack("hook", at(1, 1));

        assertThat(table.move(held, at(5, 6), true, null)).isFalse();
        assertThat(acquired().webhook().positions()).isEqualTo(at(1, 1));
    }

    @Test
    void aFailedMessageStaysTheNextOneUntilItIsGivenUp() {
        Held held = acquired();
        table.fix(held, new Message("msg", at(5, 6)), MINUTE);
        assertThat(table.fail(held, 1, "no", MINUTE, DAY)).isFalse();
        assertThat(table.acquire(MINUTE)).as("before its time").isNull();

        jdbc.update("update webhook set next_at = now(), first_at = now() - interval '23 hours'");
        Held again = acquired();
        assertThat(again.webhook().message()).isEqualTo(new Message("msg", at(5, 6)));
        assertThat(again.webhook().attempts()).isEqualTo(1);
        assertThat(table.fail(again, 1, "no", Duration.ZERO, DAY)).isFalse();

        jdbc.update("update webhook set next_at = now(), first_at = now() - interval '25 hours'");
        assertThat(table.fail(acquired(), 1, "never", MINUTE, DAY)).isTrue();
        Webhook webhook = table.find("hook");
        assertThat(webhook.message()).isNull();
        assertThat(webhook.positions()).isEqualTo(at(5, 6));
        assertThat(webhook.attempts()).isZero();
        var letter = dead.of("hook").getFirst();
        assertThat(letter.messageId()).isEqualTo("msg");
        assertThat(letter.attempts()).isEqualTo(3);
        assertThat(letter.error()).isEqualTo("never");
        assertThat(dead.before("hook", at(5, 6), at(0, 0))).isEqualTo(at(5, 5));
        assertThat(dead.before("hook", at(5, 6), at(0, 6))).as("purged").isEqualTo(at(5, 6));
    }

    @Test
    void theTimeBetweenAttemptsDoublesUpToItsBound() {
        var settings =
                new WebhookSettings.WebhookConstants(
                        MINUTE, MINUTE, MINUTE, Duration.ofSeconds(5), Duration.ofHours(1), DAY);

        assertThat(settings.retry(1)).hasSeconds(5);
        assertThat(settings.retry(2)).hasSeconds(10);
        assertThat(settings.retry(10)).hasSeconds(2560);
        assertThat(settings.retry(11)).hasHours(1);
        assertThat(settings.retry(1000)).hasHours(1);
    }

    @Test
    void thereIsABoundOfWebhooks() {
        for (int i = 1; i < WebhookTable.MOST; i++) {
            assertThat(table.create("hook" + i, TARGET, "", at(6, 6))).isTrue();
        }
        assertThat(table.create("more", TARGET, "", at(6, 6))).isFalse();
        assertThat(table.delete("hook1")).isTrue();
        assertThat(table.delete("hook1")).isFalse();
        assertThat(table.create("more", TARGET, "", at(6, 6))).isTrue();
    }
}
