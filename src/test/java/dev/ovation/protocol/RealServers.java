package dev.ovation.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;

import dev.ovation.outbox.Database;
import dev.ovation.outbox.TwinDatabase;
import dev.ovation.store.PostgresModel;
import dev.ovation.store.RealPostgres;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Two real Redis and a real Postgres, for the models of successive worlds. */
final class RealServers implements Servers.Kind, AutoCloseable {

    private final Map<String, String> names = new HashMap<>();
    private final List<RealRedis> redis = List.of(new RealRedis(names), new RealRedis(names));
    private final HikariDataSource database = RealPostgres.start();
    private RealPostgres postgres;

    @Override
    public Redis beside(RedisModel model, int number) {
        return new TwinRedis(model, redis.get(number));
    }

    @Override
    public Database beside(Database model, PostgresModel of) {
        postgres = new RealPostgres(database, of);
        return new TwinDatabase(model, postgres.database());
    }

    @Override
    public void setBack(PostgresModel to) {
        postgres.setBack();
    }

    @Override
    public void killSessions() {
        postgres.killSessions();
    }

    @Override
    public void compare(PostgresModel expected) {
        assertThat(postgres.contents()).isEqualTo(expected.contents());
        postgres.killSessions();
    }

    @Override
    public void close() {
        redis.forEach(RealRedis::close);
        database.close();
    }
}
