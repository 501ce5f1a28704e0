package dev.ovation.strategies;

import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** The product under the same contract as the strategies. */
@ExtendWith(TwoInstances.class)
class OvationTest extends ParallelContract {

    @Override
    int port() {
        return TwoInstances.one().port();
    }

    @Override
    Map<String, Long> recount(String namespace) {
        try (Connection connection = TwoInstances.database()) {
            return Recount.of(
                    new SingleConnectionDataSource(connection, true),
                    new OvationSchema(),
                    namespace,
                    entity);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
