package dev.ovation.moderation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.moderation.Bans.BanEffect;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.testing.Wait;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.transaction.support.TransactionOperations;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** The reads of the bans by writes, without a Postgres. */
class BanReadsTest {

    private final PostgresBulkhead gate = new PostgresBulkhead(1, 1, Duration.ZERO);
    private final CountDownLatch failure = new CountDownLatch(1);
    private final Table table = new Table();
    private final Bans bans = new Bans(table, TransactionOperations.withoutTransaction(), gate);

    /** A table of bans whose reads fail together, or are empty. */
    private final class Table extends JdbcTemplate {

        private final AtomicInteger reads = new AtomicInteger();
        private volatile boolean fails;

        @Override
        public <T> @Nullable T queryForObject(String sql, Class<T> type) {
            reads.incrementAndGet();
            if (fails) {
                try {
                    failure.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                throw new QueryTimeoutException("by the test");
            }
            return type.cast(1L);
        }

        @Override
        public void query(String sql, RowCallbackHandler each) {
            // no ban
        }

        @Override
        public int update(String sql) {
            return 1;
        }

        @Override
        public int update(String sql, @Nullable Object... arguments) {
            return 1;
        }
    }

    @Test
    void noWriteWaitsForTwoReadsThatFail() throws Exception {
        table.fails = true;
        var first = new FutureTask<>(this::check);
        Thread.ofPlatform().start(first);
        Wait.until("the first write reads", () -> table.reads.get() == 1);

        DataAccessException second = failureOfAWaitingWrite();

        assertThat(first.get()).isInstanceOf(QueryTimeoutException.class);
        assertThat(second).hasRootCause(first.get());
        assertThat(table.reads).hasValue(1);
    }

    @Test
    void noWriteReadsAfterTheFailingReadOfAChange() throws Exception {
        table.fails = true;
        Thread change =
                Thread.ofPlatform()
                        .start(() -> bans.ban("ben", null, null, BanEffect.KEEP, () -> {}));
        Wait.until("the change reads", () -> table.reads.get() == 1);

        DataAccessException waiting = failureOfAWaitingWrite();

        assertThat(waiting).hasRootCauseInstanceOf(QueryTimeoutException.class);
        change.join();
        assertThat(table.reads).hasValue(1);
    }

    /** Begins a write during a read, lets the read fail, and returns why the write failed. */
    private @Nullable DataAccessException failureOfAWaitingWrite() throws Exception {
        var write = new FutureTask<>(this::check);
        Thread waiting = Thread.ofPlatform().start(write);
        Wait.until("the write waits", () -> waiting.getState() == Thread.State.WAITING);
        failure.countDown();
        return write.get();
    }

    @Test
    void aLaterWriteReadsAgain() {
        table.fails = true;
        failure.countDown();
        assertThat(check()).isInstanceOf(QueryTimeoutException.class);
        assertThat(check()).isInstanceOf(QueryTimeoutException.class);
        table.fails = false;
        assertThat(check()).isNull();
        assertThat(table.reads).hasValue(3);
    }

    @Test
    void statementsOfRequestsLeaveAPlaceToTheReadOfTheBans() {
        gate.ask(
                () -> {
                    assertThatThrownBy(() -> gate.ask(() -> 1))
                            .isInstanceOf(PostgresBulkhead.BusyException.class);
                    return 1;
                });
        assertThat(gate.<@Nullable DataAccessException>ask(this::check)).isNull();
    }

    /** A write of a user who is not banned; returns why it failed. */
    private @Nullable DataAccessException check() {
        try {
            bans.check("ann", "posts");
            return null;
        } catch (DataAccessException e) {
            return e;
        }
    }
}
