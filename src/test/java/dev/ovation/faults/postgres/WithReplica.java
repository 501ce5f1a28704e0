package dev.ovation.faults.postgres;

import static dev.ovation.faults.Stage.NOTES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Instance;
import dev.ovation.testing.PostgresProcess;
import dev.ovation.testing.Wait;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A primary, a standby that a test may stop from following, and instances that read from it. */
public final class WithReplica implements AutoCloseable {

    static final String READS = "ovation_replica_reads_total";

    final PostgresProcess primary = PostgresProcess.start("wal_keep_size=256MB");
    final PostgresProcess standby = primary.startStandby("wal_retrieve_retry_interval=100ms");
    public final Stage stage = Stage.openOn(primary);
    final JdbcTemplate sql = template(standby.urlOf(stage.url));

    static JdbcTemplate template(String url) {
        return new JdbcTemplate(new DriverManagerDataSource(url, "postgres", "postgres"));
    }

    /** Starts an instance that reads from the standby as of the given time at most. */
    public Instance start(String maxStaleness, String... settings) {
        return startOn(standby.urlOf(stage.url), maxStaleness, settings);
    }

    /** Starts an instance that reads from this address. */
    Instance startOn(String url, String maxStaleness, String... settings) {
        return launchOn(url, maxStaleness, settings).attached();
    }

    /** Starts an instance that reads from this address, and may ask for credentials. */
    Instance launchOn(String url, String maxStaleness, String... settings) {
        String[] named = {
            "ovation.postgres.replica.url=" + url,
            "ovation.postgres.replica.max-staleness=" + maxStaleness
        };
        return stage.launch(Stage.settings(Stage.settings(Stage.PATIENT, named), settings));
    }

    /** Users in a list without a viewer, the newest first. */
    static List<String> listed(Instance service, String entity) {
        return users(list(service, entity, ""));
    }

    static Instance.Answer list(Instance service, String entity, String more) {
        var answer =
                service.get(
                        "/reactions/users?namespace_id=%s&entity_id=%s%s"
                                .formatted(
                                        NOTES,
                                        URLEncoder.encode(entity, StandardCharsets.UTF_8),
                                        more));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    static List<String> users(Instance.Answer answer) {
        return answer.json()
                .at("/users")
                .valueStream()
                .map(each -> each.at("/user_id").asString())
                .toList();
    }

    /** Entities in the list of a user's own reactions. */
    static List<String> given(Instance service, String user) {
        return service.get("/users/reactions?user_id=" + user)
                .json()
                .at("/reactions")
                .valueStream()
                .map(each -> each.at("/entity_id").asString())
                .toList();
    }

    public static void add(Instance service, String entity, String user) {
        var answer = service.add(NOTES, entity, user, "👍");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    static long reads(Instance service, String kind, String source) {
        return Stage.total(service, READS, "kind=\"" + kind + "\"", "source=\"" + source + "\"");
    }

    /** Repeats the action until a read of this kind comes from the server. */
    public static void awaitRead(Instance service, String kind, String source, Runnable action) {
        long before = reads(service, kind, source);
        Wait.until(
                "a read of a " + kind + " comes from the " + source,
                () -> {
                    action.run();
                    return reads(service, kind, source) > before;
                });
    }

    /** Waits until the standby has all that is committed on the primary. */
    public void awaitFollowed() {
        String end = stage.rows("select pg_current_wal_flush_lsn()").getFirst();
        Wait.until(
                "the standby has followed",
                () ->
                        sql.queryForObject(
                                "select pg_last_wal_replay_lsn() >= ?::pg_lsn",
                                Boolean.class,
                                end));
    }

    /** Stops replay: the standby receives WAL and does not apply it. */
    public void pause() {
        sql.execute("select pg_wal_replay_pause()");
        Wait.until(
                "replay is paused",
                () ->
                        "paused"
                                .equals(
                                        sql.queryForObject(
                                                "select pg_get_wal_replay_pause_state()",
                                                String.class)));
    }

    public void resume() {
        sql.execute("select pg_wal_replay_resume()");
    }

    /** Cuts the standby off: it has applied all that it received. */
    void cutOff() {
        receive("");
        awaitNoReceiver(sql);
    }

    void join() {
        receive(primary.conninfo());
        Wait.until("WAL is received", () -> receivers(sql) == 1);
    }

    private void receive(String conninfo) {
        sql.execute("alter system set primary_conninfo = '" + conninfo + "'");
        sql.execute("select pg_reload_conf()");
    }

    static void awaitNoReceiver(JdbcTemplate standby) {
        Wait.until("no WAL is received", () -> receivers(standby) == 0);
    }

    private static int receivers(JdbcTemplate standby) {
        return standby.queryForObject("select count(*) from pg_stat_wal_receiver", Integer.class);
    }

    /**
     * Details of the replica in the health of an instance, which must be up whatever the state of
     * the replica. One slow look at the primary takes the instance down for a second.
     */
    static Map<String, String> health(Instance service) {
        var health =
                Wait.until(
                        "the service is up",
                        () -> {
                            var each = service.get("/actuator/health").json();
                            assertThat(each.at("/components/replica/status").asString())
                                    .isEqualTo("UP");
                            return each;
                        },
                        each -> each.at("/status").asString().equals("UP"));
        var details = new TreeMap<String, String>();
        health.at("/components/replica/details")
                .properties()
                .forEach(each -> details.put(each.getKey(), each.getValue().asString()));
        return details;
    }

    @Override
    public void close() {
        try (primary;
                standby;
                stage) {
            stage.release();
        }
    }
}
