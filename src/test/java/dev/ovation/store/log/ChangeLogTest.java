package dev.ovation.store.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;

import dev.ovation.store.log.LogReader.ExpiredException;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** The log of changes on a real Postgres with three partitions. */
class ChangeLogTest {

    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration DAY = Duration.ofDays(1);
    private static final HikariDataSource SOURCE = pool();

    private final JdbcTemplate jdbc = new JdbcTemplate(SOURCE);
    private final ChangeLog log = new ChangeLog(jdbc);
    private final LogReader reader = new LogReader(jdbc, Shards.undivided());
    private final LogState state = new LogState(jdbc, Shards.undivided());

    private static HikariDataSource pool() {
        var source = new HikariDataSource();
        source.setDataSource(TestPostgres.database());
        source.setMaximumPoolSize(4);
        source.setConnectionInitSql("set lock_timeout = '60s'"); // a broken rule may wait
        return source;
    }

    /** Periods outlive a test, and some tests make them older. */
    @BeforeEach
    void anOpenLogWithoutRows() {
        jdbc.execute("truncate partition, change_log, webhook cascade");
        jdbc.update("insert into partition (p, epoch) select p, 1 from generate_series(0, 2) p");
        jdbc.update("update change_log_state set open = false");
        jdbc.update(
                """
                update change_log_period
                set    began_at = began_at
                           + (clock_timestamp() - (select max(began_at) from change_log_period))
                """);
        inTransaction(state::open);
    }

    private void inTransaction(Runnable work) {
        var template = new TransactionTemplate(new JdbcTransactionManager(SOURCE));
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        template.executeWithoutResult(_ -> work.run());
    }

    private void change(int p, String user) {
        inTransaction(() -> log.appendErasedUser(p, user));
    }

    /** Users of all rows after a place, which moves behind them, in steps of two rows. */
    private List<String> users(LogPositions place) throws ExpiredException {
        LogPositions end = reader.end();
        var users = new ArrayList<String>();
        while (place.to(end) > 0) {
            reader.read(place, end, 2).forEach(row -> users.add(row.user()));
        }
        assertThat(reader.read(place, end, 2)).isEmpty();
        return users;
    }

    @Test
    void eachRowIsReadOnceAndInTheOrderOfItsPartition() throws ExpiredException {
        LogPositions place = reader.start();
        for (int i = 0; i < 7; i++) {
            change(1, "a" + i);
            change(2, "b" + i);
        }
        List<String> users = users(place);

        assertThat(users).hasSize(14).doesNotHaveDuplicates();
        assertThat(users)
                .filteredOn(user -> user.startsWith("a"))
                .containsExactly("a0", "a1", "a2", "a3", "a4", "a5", "a6");
        assertThat(users).filteredOn(user -> user.startsWith("b")).isSorted().hasSize(7);
        assertThat(users(place)).isEmpty();
    }

    /** The rows of the later commit have no greater positions than those that were read before. */
    @Test
    void aReaderDoesNotPassATransactionThatCommitsLater() throws ExpiredException {
        LogPositions place = reader.start();
        var read = new ArrayList<String>();
        inTransaction(
                () -> {
                    log.appendErasedUser(1, "late");
                    change(0, "before");
                    change(2, "before too");
                    read.addAll(meanwhile(() -> users(place)).join());
                });

        assertThat(read).containsExactlyInAnyOrder("before", "before too");
        assertThat(users(place)).containsExactly("late");
    }

    /** A writer gets its positions after the commit of the writer before it. */
    @Test
    void twoWritersOfAPartitionCommitInTheOrderOfTheirPositions() throws Exception {
        LogPositions place = reader.start();
        var first = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var one =
                meanwhile(
                        () -> {
                            inTransaction(
                                    () -> {
                                        log.appendErasedUser(1, "one");
                                        first.countDown();
                                        await(release);
                                    });
                            return true;
                        });
        first.await();
        var two =
                meanwhile(
                        () -> {
                            change(1, "two");
                            return true;
                        });
        try {
            Wait.until(
                    "the second writer waits",
                    () ->
                            !TestPostgres.rows(
                                            jdbc,
                                            """
                                            select pid from pg_stat_activity
                                            where  datname = current_database()
                                            and    wait_event_type = 'Lock'
                                            """)
                                    .isEmpty());
            assertThat(users(place)).isEmpty();
        } finally {
            release.countDown();
            CompletableFuture.allOf(one, two).join();
        }

        assertThat(users(place)).containsExactly("one", "two");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs an action on a thread, and so on a connection, of its own. */
    private static <T> CompletableFuture<T> meanwhile(Callable<T> action) {
        var result = new CompletableFuture<T>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                result.complete(action.call());
                            } catch (Exception e) {
                                result.completeExceptionally(e);
                            }
                        });
        return result;
    }

    @Test
    void aPlaceExpiresWithTheFirstRowAfterIt() throws ExpiredException {
        LogPositions before = reader.start();
        change(1, "old");
        LogPositions between = reader.end();
        inTransaction(() -> state.turn(Duration.ZERO, WEEK));
        change(1, "new");
        assertThat(users(before.copy())).containsExactly("old", "new");

        jdbc.update("update change_log_period set began_at = began_at - interval '8 days'");
        inTransaction(() -> state.turn(DAY, WEEK));

        assertThatThrownBy(() -> users(before)).isInstanceOf(ExpiredException.class);
        assertThat(users(between)).containsExactly("new");
        assertThat(users(reader.start())).containsExactly("new");
    }

    @Test
    void rowsAreKeptForTheirRetention() throws ExpiredException {
        LogPositions place = reader.start();
        change(1, "old");
        jdbc.update("update change_log_period set began_at = began_at - interval '2 days'");
        inTransaction(() -> state.turn(DAY, WEEK));
        jdbc.update("update change_log_period set began_at = began_at - interval '6 days'");
        inTransaction(() -> state.turn(DAY, WEEK));

        assertThat(users(place)).containsExactly("old");
    }

    @Test
    void aPlaceBeyondTheEndIsOfADatabaseThatWasRestored() {
        LogPositions place = reader.end();
        place.positions()[1] = 5;

        assertThatThrownBy(() -> reader.read(place, reader.end(), 2))
                .isInstanceOf(ExpiredException.class);
    }

    @Test
    void aPlaceOfAnEarlierOpeningIsExpired() {
        LogPositions place = reader.end();
        close();
        change(1, "not logged");
        inTransaction(state::open);

        assertThatThrownBy(() -> reader.read(place, reader.end(), 2))
                .isInstanceOf(ExpiredException.class);
    }

    private void close() {
        jdbc.update("update change_log_state set read_at = read_at - interval '8 days'");
        inTransaction(() -> assertThat(state.closeIfUnread(WEEK)).isTrue());
    }

    @Test
    void nothingIsLoggedWhileTheLogIsClosed() throws ExpiredException {
        change(1, "logged");
        close();
        assertThat(state.touch()).isFalse();
        change(1, "not logged");
        assertThat(TestPostgres.rows(jdbc, "select p from change_log")).isEmpty();

        inTransaction(state::open);
        change(1, "logged again");
        assertThat(users(reader.start())).containsExactly("logged again");
    }

    @Test
    void theLogStaysOpenWhileItIsReadOrAWebhookExists() {
        inTransaction(() -> assertThat(state.closeIfUnread(WEEK)).isFalse());
        jdbc.update("update change_log_state set read_at = read_at - interval '8 days'");
        assertThat(state.touch()).isTrue();
        inTransaction(() -> assertThat(state.closeIfUnread(WEEK)).isFalse());
        jdbc.update("update change_log_state set read_at = read_at - interval '8 days'");
        jdbc.update(
                """
                insert into webhook (webhook_id, url, kinds, milestones, batch_max, delay_ms, secret,
                                     generation, positions)
                values ('hook', '', '{}', '{}', 1, 0, '', 1, '{}')
                """);
        inTransaction(() -> assertThat(state.closeIfUnread(WEEK)).isFalse());
    }

    @Test
    void aPlaceIsFoundByTime() throws ExpiredException {
        for (int i = 1; i <= 9; i++) {
            change(i % 2, "u" + i);
        }
        jdbc.update("update change_log set at = substr(user_id, 2)::bigint");

        assertThat(users(reader.at(6))).containsExactlyInAnyOrder("u6", "u7", "u8", "u9");
        assertThat(users(reader.at(0))).hasSize(9);
        assertThat(users(reader.at(10))).isEmpty();
    }

    @Test
    void aUserIsRemovedFromRowsButNotFromAnnouncements() {
        change(1, "ann");
        jdbc.update("update change_log set kind = 'changed'");
        change(1, "ann");
        log.redact(1, "ann", 0, 2);

        assertThat(
                        TestPostgres.rows(
                                jdbc, "select kind, user_id from change_log order by position"))
                .containsExactly("changed null", "erased ann");
    }
}
