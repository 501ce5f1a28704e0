package dev.ovation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.ChildJvm;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.RedisUser;
import dev.ovation.testing.Wait;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Two instances of jars, each in a process of its own, on one Redis and one Postgres. Each can be
 * replaced by an instance of another jar, as in a roll-out. Releases that know traces sample each
 * request, so that their events have members which earlier releases do not know.
 */
final class Rollout extends Ground {

    private static final List<String> FLAGS =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx384m");

    private static final Pattern REVISION =
            Pattern.compile("ovation_build_info\\{[^}]*revision=\"([^\"]*)\"");

    /** Setting of an instance whose events the other one must commit. */
    static final String WITHOUT_RELAY = "ovation.internal.relay.threads=0";

    /** Traces go to a port without a collector, and are dropped there. */
    private static final List<String> TRACES =
            List.of(
                    "management.opentelemetry.tracing.export.otlp.endpoint=http://127.0.0.1:9/v1/traces",
                    "management.tracing.sampling.probability=1");

    private static final Pattern STOPPED =
            Pattern.compile("^ovation_partitions\\{[^}]*state=\"stopped\"[^}]*} (.+)$");

    private static final Pattern REJECTED =
            Pattern.compile(
                    "^ovation_events_rejected_total\\{[^}]*reason=\"(malformed|poison)\"[^}]*} (.+)$");

    private final RedisProcess redis = RedisProcess.start(REDIS);
    private final List<Seat> seats = new ArrayList<>();

    /** A place in the deployment, whose instance changes. */
    private static final class Seat {
        private final Door door;
        private ChildJvm process;

        private Seat(String name) {
            this.door = new Door(name, 1);
        }
    }

    /**
     * Starts two instances of a jar.
     *
     * @param season from the end of the start to the end of the season
     */
    Rollout(Path jar, Duration season) throws IOException {
        beginSeason(season);
        for (String name : List.of("first", "second")) {
            seats.add(new Seat(name));
            start(seats.getLast(), jar);
        }
        beginSeason(season);
        Wait.until(
                "the rules are in force",
                () -> seats.getFirst().door.send("POST", "/actuator/refresh", null),
                answer -> answer.status() == 200);
    }

    /**
     * Migrates the schema by the command of a jar, and adds a later migration that expands it. The
     * instances do not know this one, as those of a release do not know the next release's.
     */
    void migrate(Path jar) throws IOException {
        Path later = folder("ovation-later-migration");
        Files.writeString(
                later.resolve("V1000__expand.sql"),
                """
                alter table entity add column of_a_later_release int;
                create table of_a_later_release (id bigint primary key);
                """);
        var locations = "spring.flyway.locations=classpath:db/migration,filesystem:" + later;
        var settings = Stream.concat(settings(), Stream.of(locations));
        var flags = Stream.concat(FLAGS.stream(), settings.map(setting -> "-D" + setting));
        var migration = ChildJvm.ofJar(jar, flags.toList(), List.of("migrate"));
        assertThat(migration.exitCode()).as(migration.output()).isZero();
    }

    /**
     * Stops an instance as an operator does, and starts one of this jar in its place.
     *
     * @param more settings of the new instance
     */
    void replace(int number, Path jar, String... more) throws IOException {
        Seat seat = seats.get(number);
        seat.door.open(false);
        seat.process.close();
        start(seat, jar, more);
    }

    /** Judges that the relays of all instances have understood the events of the others. */
    void judge() throws IOException {
        for (Seat seat : seats) {
            String scrape = scrape(seat);
            assertThat(values(STOPPED, scrape)).as(scrape).isNotEmpty().allMatch(it -> it == 0);
            assertThat(values(REJECTED, scrape)).as(scrape).allMatch(it -> it == 0);
        }
    }

    private static String scrape(Seat seat) {
        return Wait.until(
                        "%s has metrics".formatted(seat.door),
                        () -> seat.door.send("GET", "/actuator/prometheus", null),
                        answer -> answer.status() == 200)
                .body();
    }

    /** Values of the series that a pattern finds; its last group is the value. */
    private static List<Double> values(Pattern series, String scrape) {
        return scrape.lines()
                .map(series::matcher)
                .filter(Matcher::find)
                .map(found -> Double.valueOf(found.group(found.groupCount())))
                .toList();
    }

    private void start(Seat seat, Path jar, String... more) throws IOException {
        var arguments =
                Stream.concat(settings(), Stream.of(more)).map(setting -> "--" + setting).toList();
        synchronized (files()) {
            seat.process = ChildJvm.ofJar(jar, FLAGS, arguments).serving();
        }
        seat.door.link.leadTo("127.0.0.1", seat.process.port().orElseThrow());
        seat.door.open(true);
        String scrape = scrape(seat);
        var revision = REVISION.matcher(scrape);
        assertThat(revision.find()).as(scrape).isTrue();
        assertThat(revision.group(1)).isEqualTo(commit(jar));
    }

    private Stream<String> settings() {
        return Stream.concat(
                        Stream.concat(SETTINGS.stream(), TRACES.stream()),
                        Stream.of(
                                "server.port=0",
                                "spring.datasource.url=" + postgres().url(),
                                "spring.data.redis.url=" + redis.uri(),
                                "ovation.config-dir=" + files()))
                .flatMap(RedisUser::settings);
    }

    /** The commit of a jar; a jar that was built outside a repository has none. */
    static String commit(Path jar) throws IOException {
        try (var file = new JarFile(jar.toFile())) {
            var entry = file.getEntry("BOOT-INF/classes/git.properties");
            if (entry == null) {
                return "unknown";
            }
            var properties = new Properties();
            try (InputStream content = file.getInputStream(entry)) {
                properties.load(content);
            }
            return properties.getProperty("git.commit.id");
        }
    }

    /** The job of a ban in release 0.1.0 continues when the ban changes: see UPGRADING.md. */
    @Override
    List<Ban.Effect> effects() {
        return List.of(Ban.Effect.KEEP);
    }

    @Override
    List<Door> doors() {
        return seats.stream().map(seat -> seat.door).toList();
    }

    @Override
    RedisProcess redis() {
        return redis;
    }

    @Override
    public void close() {
        seats.forEach(
                seat -> {
                    seat.process.close();
                    seat.door.link.close();
                });
        redis.close();
        super.close();
    }
}
