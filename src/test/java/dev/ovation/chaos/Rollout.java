package dev.ovation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.ChildJvm;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.RedisUser;
import dev.ovation.testing.Wait;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Two instances of jars, each in a process of its own, on one Redis and one Postgres. Each can be
 * replaced by an instance of another jar, as in a roll-out.
 */
final class Rollout extends Ground {

    private static final List<String> FLAGS =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx384m");

    private static final Pattern REVISION =
            Pattern.compile("ovation_build_info\\{[^}]*revision=\"([^\"]*)\"");

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

    /** Returns the number of instances. */
    int size() {
        return seats.size();
    }

    /** Migrates the schema by the command of a jar, which has no arguments. */
    void migrate(Path jar) {
        var flags = Stream.concat(FLAGS.stream(), settings().map(setting -> "-D" + setting));
        var migration = ChildJvm.ofJar(jar, flags.toList(), List.of("migrate"));
        assertThat(migration.exitCode()).as(migration.output()).isZero();
    }

    /** Stops an instance as an operator does, and starts one of this jar in its place. */
    void replace(int number, Path jar) throws IOException {
        Seat seat = seats.get(number);
        seat.door.open(false);
        seat.process.close();
        start(seat, jar);
    }

    private void start(Seat seat, Path jar) throws IOException {
        var arguments = settings().map(setting -> "--" + setting).toList();
        synchronized (files()) {
            seat.process = ChildJvm.ofJar(jar, FLAGS, arguments).serving();
        }
        seat.door.link.leadTo("127.0.0.1", seat.process.port().orElseThrow());
        seat.door.open(true);
        String scrape = seat.door.send("GET", "/actuator/prometheus", null).body();
        var revision = REVISION.matcher(scrape);
        assertThat(revision.find()).as(scrape).isTrue();
        assertThat(revision.group(1)).isEqualTo(commit(jar));
    }

    private Stream<String> settings() {
        return Stream.concat(
                        SETTINGS.stream(),
                        Stream.of(
                                "server.port=0",
                                "spring.datasource.url=" + postgres().url(),
                                "spring.data.redis.url=" + redis.uri(),
                                "ovation.config-dir=" + files()))
                .map(RedisUser::setting);
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
