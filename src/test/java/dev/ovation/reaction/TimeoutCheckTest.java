package dev.ovation.reaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.mock.env.MockEnvironment;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The time-outs of {@code application.yaml} nest, and no setting breaks their order unnoticed. */
class TimeoutCheckTest {

    private static final String POOL = "spring.datasource.hikari.";
    private static final String OPTIONS = POOL + "data-source-properties.options";
    private static final String INIT_SQL = POOL + "connection-init-sql";
    private static final String ANSWER = POOL + "data-source-properties.socketTimeout";
    private static final String COMMAND = "ovation.internal.hot.command-timeout";
    private static final String LONG_TRANSACTION =
            "'select set_config(''transaction_timeout'', ''3001ms'', false)'";

    @Test
    void theDefaultsNest() {
        assertThatCode(() -> TimeoutCheck.check(with())).doesNotThrowAnyException();
    }

    /** Each row breaks one relation: the setting that is named, its value, and the reason. */
    @ParameterizedTest
    @CsvSource({
        OPTIONS
                + ", -c idle_in_transaction_session_timeout=1s, longer than the time-out of a Redis",
        OPTIONS + ", -c idle_in_transaction_session_timeout=3s, shorter than that of " + INIT_SQL,
        INIT_SQL + ", " + LONG_TRANSACTION + ", equal to or shorter than the lease of a loader",
        ANSWER + ", 3, longer than the lease of a loader",
        ANSWER + ", 5, shorter than that of ovation.requests.deadline",
        POOL + "connection-timeout, 5000, shorter than that of ovation.requests.deadline"
    })
    void aTimeoutThatReachesTheOneAroundItIsRefused(String name, String value, String reason) {
        assertThatThrownBy(() -> TimeoutCheck.check(with(name, value)))
                .isInstanceOfSatisfying(
                        InvalidConfigurationPropertyValueException.class,
                        e -> {
                            assertThat(e.getName()).isEqualTo(name);
                            assertThat(e.getReason()).contains(reason);
                        });
    }

    @Test
    void aClashWithAConstantSaysThatOnlyTheSettingCanChange() {
        assertThatThrownBy(() -> TimeoutCheck.check(with(ANSWER, "3")))
                .hasMessageContaining(
                        "Its time must be longer than the lease of a loader, which is 3s."
                                + " Raise the value; the bound is fixed.")
                .hasMessageNotContaining("ovation.internal");
    }

    @Test
    void aClashOfTwoSettingsSaysThatEitherCanChange() {
        assertThatThrownBy(() -> TimeoutCheck.check(with("ovation.requests.deadline", "4s")))
                .hasMessageContaining(
                        "Its time must be shorter than that of ovation.requests.deadline, which is"
                                + " 4s. Lower the value or change the other setting.");
    }

    @Test
    void constantsNestInEachOther() {
        var environment = with(OPTIONS, "", INIT_SQL, "select 1", COMMAND, "2999ms");
        assertThatCode(() -> TimeoutCheck.check(environment)).doesNotThrowAnyException();

        environment.setProperty(COMMAND, "3s");
        assertThatThrownBy(() -> TimeoutCheck.check(environment))
                .hasMessageContaining("longer than the time-out of a Redis command, which is 3s");

        assertThatThrownBy(() -> TimeoutCheck.check(with("ovation.internal.requests.attach", "5s")))
                .hasMessageContaining("longer than the wait of a write for a partition");
    }

    @Test
    void answersAreKeptForLongerThanARequestTakes() {
        assertThatThrownBy(() -> TimeoutCheck.check(with("ovation.relay.answer-retention", "5s")))
                .hasMessageContaining("ovation.requests.deadline")
                .hasMessageContaining("that of ovation.relay.answer-retention, which is 5s");
    }

    @Test
    void theCheckCanBeSwitchedOffForTests() {
        assertThatCode(
                        () ->
                                TimeoutCheck.check(
                                        with(
                                                COMMAND,
                                                "1h",
                                                "ovation.internal.check-timeouts",
                                                "false")))
                .doesNotThrowAnyException();
    }

    @Test
    void theStartFails() {
        new ApplicationContextRunner()
                .withInitializer(context -> addDefaults(context.getEnvironment()))
                .withUserConfiguration(ReactionConfiguration.class)
                .withPropertyValues("ovation.requests.deadline=4s")
                .run(
                        context ->
                                assertThat(context)
                                        .getFailure()
                                        .isInstanceOf(
                                                InvalidConfigurationPropertyValueException.class));
    }

    private static MockEnvironment with(String... settings) {
        var environment = new MockEnvironment();
        for (int i = 0; i < settings.length; i += 2) {
            environment.setProperty(settings[i], settings[i + 1]);
        }
        addDefaults(environment);
        return environment;
    }

    private static void addDefaults(ConfigurableEnvironment environment) {
        try {
            new YamlPropertySourceLoader()
                    .load("defaults", new ClassPathResource("application.yaml"))
                    .forEach(environment.getPropertySources()::addLast);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
