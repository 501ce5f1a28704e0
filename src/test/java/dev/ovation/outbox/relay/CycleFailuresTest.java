package dev.ovation.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.store.AgedPartitions;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

class CycleFailuresTest {

    private static final RuntimeException OF_POSTGRES =
            new DataAccessResourceFailureException("gone");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private boolean postgresWrites = true;
    private int probes;

    private final CycleFailures failures =
            new CycleFailures(new AgedPartitions(new Probed(), 0), new OutboxMetrics(meters));

    @Test
    void thereIsNoneAtFirst() {
        assertThat(failures.any()).isFalse();
        assertThat(failures.areTooMany()).isFalse();
    }

    @Test
    void isOfAPartitionWhilePostgresTakesAWrite() {
        assertThat(failures.isOfAPartition(OF_POSTGRES)).isTrue();
        assertThat(failures.any()).isFalse();
    }

    @Test
    void isOfPostgresWhenItTakesNoWrite() {
        postgresWrites = false;

        assertThat(failures.isOfAPartition(OF_POSTGRES)).isFalse();
        assertThat(failures.any()).isTrue();
        assertThat(failures.areTooMany()).isTrue();
    }

    @Test
    void aWriteThatPostgresTakesEndsThem() {
        postgresWrites = false;
        failures.isOfAPartition(OF_POSTGRES);
        postgresWrites = true;
        failures.isOfAPartition(OF_POSTGRES);

        assertThat(failures.any()).isFalse();
        assertThat(failures.areTooMany()).isFalse();
    }

    @Test
    void aSuccessEndsThem() {
        postgresWrites = false;
        failures.isOfAPartition(OF_POSTGRES);
        failures.forget();

        assertThat(failures.any()).isFalse();
        assertThat(failures.areTooMany()).isFalse();
    }

    @Test
    void aRedisThatDoesNotAnswerIsNeitherOfAPartitionNorOfPostgres() {
        assertThat(failures.isOfAPartition(new TimeoutException())).isFalse();
        assertThat(failures.isOfAPartition(ofRedis(new RedisConnectionException("gone"))))
                .isFalse();
        assertThat(failures.any()).isFalse();
        assertThat(probes).isZero();
    }

    @Test
    void anErrorOfRedisIsOfNoPartition() {
        var error = ofRedis(new RedisCommandExecutionException("MISCONF"));

        assertThat(failures.isOfAPartition(error)).isFalse();
        assertThat(failures.any()).isTrue();
        assertThat(probes).isZero();
    }

    @Test
    void oneErrorOfRedisIsNotTooMany() {
        var error = ofRedis(new RedisCommandExecutionException("MISCONF"));

        failures.isOfAPartition(error);
        assertThat(failures.areTooMany()).isFalse();

        failures.isOfAPartition(error);
        assertThat(failures.areTooMany()).isTrue();
    }

    @Test
    void failuresOfEveryCauseAreCounted() {
        failures.isOfAPartition(OF_POSTGRES);
        failures.isOfAPartition(new TimeoutException());
        failures.isOfAPartition(ofRedis(new RedisCommandExecutionException("MISCONF")));

        assertThat(meters.get("ovation.relay.failures").counter().count()).isEqualTo(3);
    }

    /** A Postgres that is asked for one write. */
    private final class Probed extends JdbcTemplate {
        @Override
        public int update(String sql) {
            probes++;
            if (!postgresWrites) {
                throw OF_POSTGRES;
            }
            return 1;
        }
    }

    /** As a future of Redis throws it. */
    private static Exception ofRedis(RuntimeException error) {
        return new ExecutionException(error);
    }
}
