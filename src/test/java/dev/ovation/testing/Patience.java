package dev.ovation.testing;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.stream.Stream;

/** Settings of instances that outlast a machine that stands still for seconds. */
public final class Patience {

    /**
     * Time-outs beyond which a server or a thread of a busy machine does not stand still, those of
     * the sessions in Postgres too. For tests that are about none of them: a request that meets one
     * is refused by right, and that a server is down is noticed late.
     */
    public static final String[] LONG = {
        "ovation.relay.stuck-after=60s",
        "ovation.requests.deadline=60s",
        "ovation.requests.attach=30s",
        "ovation.hot.command-timeout=10s",
        "ovation.postgres.patience=10s",
        "ovation.hot.lease=30s",
        "ovation.loads.patience=20s",
        "server.tomcat.connection-timeout=60s",
        "ovation.http.head=60s",
        "ovation.http.grace=60s",
        "spring.datasource.hikari.connection-timeout=30000",
        "spring.datasource.hikari.connection-init-sql=select 1", // no transaction_timeout
        "spring.datasource.hikari.data-source-properties.connectTimeout=20",
        "spring.datasource.hikari.data-source-properties.loginTimeout=20",
        "spring.datasource.hikari.data-source-properties.socketTimeout=60",
        "spring.datasource.hikari.data-source-properties.options="
                + "-c idle_in_transaction_session_timeout=60s",
    };

    private Patience() {}

    /** {@link #LONG}, with other settings in addition or in place of those. */
    public static String[] longWith(String... more) {
        return settings(LONG, more);
    }

    /** All these settings; of those with one name the last, because a command line joins them. */
    public static String[] settings(String[] some, String... more) {
        var byName = new LinkedHashMap<String, String>();
        Stream.concat(Arrays.stream(some), Arrays.stream(more))
                .forEach(setting -> byName.put(setting.split("=", 2)[0], setting));
        return byName.values().toArray(String[]::new);
    }
}
