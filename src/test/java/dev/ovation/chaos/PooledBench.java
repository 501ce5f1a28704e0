package dev.ovation.chaos;

import dev.ovation.testing.PgBouncer;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.ServiceProcess;
import dev.ovation.testing.Wait;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Two instances in processes of their own, whose connections to Postgres share a few sessions. The
 * role of the service has the settings that {@code docs/deploying.md} gives it.
 */
final class PooledBench extends Ground {

    /** The role of the service. */
    static final String ROLE = "ovation";

    /** Far fewer than the instances have connections. */
    static final int SESSIONS = 8;

    private static final List<String> SETTINGS_OF_THE_ROLE =
            List.of(
                    "create role ovation login",
                    "alter role ovation set idle_in_transaction_session_timeout = '2s'",
                    "alter role ovation set transaction_timeout = '3s'");

    private final RedisProcess redis = RedisProcess.start(REDIS);
    private final PgBouncer pooler;
    private final List<Door> doors = new ArrayList<>();
    private final List<ServiceProcess> services = new ArrayList<>();

    /**
     * Starts all parts.
     *
     * @param season from the end of the start to the end of the season
     */
    PooledBench(Duration season) throws IOException {
        var sql = new JdbcTemplate(new DriverManagerDataSource(postgres().url(), "postgres", ""));
        SETTINGS_OF_THE_ROLE.forEach(sql::execute);
        pooler = PgBouncer.before(postgres(), ROLE, SESSIONS);
        beginSeason(season);
        for (String name : List.of("first", "second")) {
            var service = ServiceProcess.start(settings());
            var door = new Door(name, service.port());
            services.add(service);
            doors.add(door);
        }
        beginSeason(season);
        Wait.until(
                "the rules are in force",
                () -> doors.getFirst().send("POST", "/actuator/refresh", null),
                answer -> answer.status() == 200);
    }

    private String[] settings() {
        var settings = new ArrayList<>(SETTINGS);
        settings.add("spring.datasource.url=" + pooler.url("postgres"));
        settings.add("spring.datasource.username=" + ROLE);
        settings.add("spring.datasource.password=");
        settings.add("spring.flyway.url=" + postgres().url());
        settings.add("spring.flyway.user=postgres");
        settings.add("spring.flyway.password=");
        settings.add("spring.data.redis.url=" + redis.uri());
        settings.add("ovation.config-dir=" + files());
        return settings.toArray(String[]::new);
    }

    PgBouncer pooler() {
        return pooler;
    }

    List<ServiceProcess> services() {
        return services;
    }

    @Override
    List<Door> doors() {
        return doors;
    }

    @Override
    RedisProcess redis() {
        return redis;
    }

    @Override
    public void close() {
        services.forEach(ServiceProcess::close);
        doors.forEach(door -> door.link.close());
        pooler.close();
        redis.close();
        super.close();
    }
}
