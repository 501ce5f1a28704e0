package dev.ovation.reaction;

import dev.ovation.hot.state.HotSettings;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks at the start that time-outs and leases end in the order on which the protocol relies: an
 * inner one before the one around it.
 */
final class TimeoutCheck {

    private static final String POOL = "spring.datasource.hikari.";
    private static final String DRIVER = POOL + "data-source-properties.";

    /** Tests that stretch or shrink single time-outs switch the check off. */
    private static final String ENABLED = "ovation.internal.check-timeouts";

    private static final Timeout COMMAND =
            Timeout.of("ovation.internal.hot.command-timeout")
                    .fixed(HotSettings.COMMAND_TIMEOUT, "the time-out of a Redis command");

    /** Life of an idle transaction of a session in Postgres. */
    private static final Timeout IDLE_TRANSACTION =
            Timeout.in(DRIVER + "options", "idle_in_transaction_session_timeout=(\\d+m?s)");

    /** Life of a transaction in Postgres. */
    private static final Timeout TRANSACTION =
            Timeout.in(POOL + "connection-init-sql", "transaction_timeout', '(\\d+m?s)'");

    private static final Timeout LEASE =
            Timeout.of("ovation.internal.hot.lease")
                    .fixed(HotSettings.LEASE, "the lease of a loader");

    /** Wait for an answer of Postgres, in seconds. */
    private static final Timeout ANSWER =
            Timeout.of(DRIVER + "socketTimeout").by(ChronoUnit.SECONDS);

    /** Wait for a connection of the pool. */
    private static final Timeout CONNECTION = Timeout.of(POOL + "connection-timeout");

    private static final Timeout ATTACH =
            Timeout.of("ovation.internal.requests.attach")
                    .fixed(
                            RequestSettings.RequestConstants.ATTACH,
                            "the wait of a write for a partition");

    /** Deadline of a write. */
    private static final Timeout REQUEST = Timeout.of("ovation.requests.deadline");

    /** Retention of answers, for retries of writes whose outcome was unknown. */
    private static final Timeout ANSWERS = Timeout.of("ovation.relay.answer-retention");

    private static final List<Relation> RELATIONS =
            List.of(
                    new Relation(COMMAND, IDLE_TRANSACTION),
                    new Relation(COMMAND, LEASE),
                    new Relation(IDLE_TRANSACTION, TRANSACTION),
                    new Relation(TRANSACTION, LEASE).orEqual(),
                    new Relation(LEASE, ANSWER),
                    new Relation(ANSWER, REQUEST),
                    new Relation(CONNECTION, REQUEST),
                    new Relation(ATTACH, REQUEST),
                    new Relation(REQUEST, ANSWERS));

    private TimeoutCheck() {}

    /**
     * Checks the settings.
     *
     * @throws InvalidConfigurationPropertyValueException naming a setting of the operator, its
     *     value, the setting or constant that it clashes with, and the remedy
     */
    static void check(Environment environment) {
        if (environment.getProperty(ENABLED, boolean.class, true)) {
            RELATIONS.forEach(relation -> relation.check(environment));
        }
    }

    /** The first time-out is shorter than the second. */
    private record Relation(Timeout inner, Timeout outer, boolean mayBeEqual) {

        Relation(Timeout inner, Timeout outer) {
            this(inner, outer, false);
        }

        Relation orEqual() {
            return new Relation(inner, outer, true);
        }

        void check(Environment environment) {
            Duration shorter = inner.value(environment);
            Duration longer = outer.value(environment);
            if (shorter == null || longer == null) {
                return;
            }
            int order = shorter.compareTo(longer);
            if (order > 0 || (order == 0 && !mayBeEqual)) {
                throw inner.constant == null
                        ? clash(inner, shorter, "shorter", outer, longer, "Lower")
                        : clash(outer, longer, "longer", inner, shorter, "Raise");
            }
        }

        private InvalidConfigurationPropertyValueException clash(
                Timeout wrong,
                Duration value,
                String order,
                Timeout bound,
                Duration limit,
                String remedy) {
            return new InvalidConfigurationPropertyValueException(
                    wrong.name,
                    text(value),
                    "Its time must be %s than %s, which is %s. %s the value%s."
                            .formatted(
                                    mayBeEqual ? "equal to or " + order : order,
                                    bound.constant == null
                                            ? "that of " + bound.name
                                            : bound.constant,
                                    text(limit),
                                    remedy,
                                    bound.constant == null
                                            ? " or change the other setting"
                                            : "; the bound is fixed"));
        }

        private static String text(Duration duration) {
            return duration.toMillis() % 1000 == 0
                    ? duration.toSeconds() + "s"
                    : duration.toMillis() + "ms";
        }
    }

    /**
     * Source of a time-out.
     *
     * @param name name of the setting
     * @param part finds the time-out in the value; null: the value is the time-out
     * @param unit unit of a value without one
     * @param fallback value where the setting is absent; null: there is no such time-out
     * @param constant what operators cannot set; null: the setting is theirs
     */
    private record Timeout(
            String name,
            @Nullable Pattern part,
            ChronoUnit unit,
            @Nullable String fallback,
            @Nullable String constant) {

        static Timeout of(String name) {
            return new Timeout(name, null, ChronoUnit.MILLIS, null, null);
        }

        static Timeout in(String name, String part) {
            return new Timeout(name, Pattern.compile(part), ChronoUnit.MILLIS, null, null);
        }

        Timeout by(ChronoUnit unit) {
            return new Timeout(name, part, unit, null, null);
        }

        Timeout fixed(String value, String constant) {
            return new Timeout(name, part, unit, value, constant);
        }

        @Nullable Duration value(Environment environment) {
            String text = environment.getProperty(name);
            if (text == null) {
                text = fallback;
            }
            if (text != null && part != null) {
                Matcher found = part.matcher(text);
                text = found.find() ? found.group(1) : null;
            }
            try {
                return text == null ? null : DurationStyle.detectAndParse(text.strip(), unit);
            } catch (IllegalArgumentException e) {
                throw new InvalidConfigurationPropertyValueException(
                        name, text, "It must be a time with a unit, such as 5s.");
            }
        }
    }
}
