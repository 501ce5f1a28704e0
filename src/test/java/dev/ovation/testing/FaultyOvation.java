package dev.ovation.testing;

import dev.ovation.Ovation;
import dev.ovation.hot.state.Failpoints;
import dev.ovation.hot.state.Failpoints.Point;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/**
 * The service with failpoints of a test. As a program of its own it halts as by SIGKILL at the
 * point that the setting {@code halt-at} names, when the file {@code halt-when} exists.
 */
public final class FaultyOvation {

    private FaultyOvation() {}

    public static void main(String... arguments) {
        run(arguments);
    }

    static ConfigurableApplicationContext run(String... arguments) {
        return new SpringApplicationBuilder(Ovation.class)
                .initializers(context -> with(halt(context.getEnvironment())).initialize(context))
                .run(arguments);
    }

    /** Replaces the failpoints without effect by those of a test. */
    static ApplicationContextInitializer<ConfigurableApplicationContext> with(
            Failpoints failpoints) {
        return context ->
                ((GenericApplicationContext) context)
                        .registerBean(
                                "failpointsOfTheTest",
                                Failpoints.class,
                                () -> failpoints,
                                definition -> definition.setPrimary(true));
    }

    /** Gives the service a clock of the test. */
    static ApplicationContextInitializer<ConfigurableApplicationContext> with(Clock clock) {
        return context ->
                ((GenericApplicationContext) context)
                        .registerBean("clockOfTheTest", Clock.class, () -> clock);
    }

    private static Failpoints halt(ConfigurableEnvironment settings) {
        String at = settings.getProperty("halt-at");
        if (at == null) {
            return Failpoints.NONE;
        }
        var point = Point.valueOf(at);
        var when = Path.of(settings.getRequiredProperty("halt-when"));
        return reached -> {
            if (reached == point && Files.exists(when)) {
                Runtime.getRuntime().halt(137);
            }
            if (reached == Point.BEFORE_CALL && point == Point.BEFORE_COMMIT) {
                throw TestFailpoints.noCall();
            }
        };
    }
}
