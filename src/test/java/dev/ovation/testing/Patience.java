package dev.ovation.testing;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.stream.Stream;

/** Settings of instances that tolerate a machine that hangs for seconds. */
public final class Patience {

    /**
     * Time-outs beyond the pauses of a server or a thread on a busy machine, including those of
     * sessions in Postgres. They are for tests of other behaviour: with them a request that meets a
     * time-out is still refused, and a server that is down is detected late.
     */
    public static final String[] LONG = {
        "ovation.internal.relay.stuck-after=60s",
        "ovation.requests.deadline=60s",
        "ovation.internal.requests.attach=30s",
        "ovation.internal.hot.command-timeout=60s", // beyond a collection of the whole heap
        "ovation.internal.postgres.max-wait=10s",
        "ovation.internal.hot.lease=30s",
        "ovation.internal.loads.max-wait=20s",
        "ovation.internal.issuer.timeout=60s",
        "ovation.internal.configuration.publishing=60s",
        "ovation.internal.configuration.exact-counts=60s",
        "ovation.internal.moderation.lock-patience=60s",
        "server.tomcat.connection-timeout=60s",
        "ovation.internal.http.max-header-time=60s",
        "ovation.internal.http.body-grace=60s",
        "spring.datasource.hikari.connection-timeout=30000",
        "spring.datasource.hikari.connection-init-sql=select 1", // no transaction_timeout
        "spring.datasource.hikari.data-source-properties.connectTimeout=20",
        "spring.datasource.hikari.data-source-properties.loginTimeout=20",
        "spring.datasource.hikari.data-source-properties.socketTimeout=60",
        "spring.datasource.hikari.data-source-properties.options="
                + "-c idle_in_transaction_session_timeout=60s",
    };

    private Patience() {}

    /** {@link #LONG} with other settings, which are added or override those. */
    public static String[] longWith(String... more) {
        return settings(LONG, more);
    }

    /** Joins settings; the last of each name is kept, because a command line joins equal names. */
    public static String[] settings(String[] some, String... more) {
        var byName = new LinkedHashMap<String, String>();
        Stream.concat(Arrays.stream(some), Arrays.stream(more))
                .forEach(setting -> byName.put(setting.split("=", 2)[0], setting));
        return byName.values().toArray(String[]::new);
    }
}
