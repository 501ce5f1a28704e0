package dev.ovation.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.time.Duration;
import java.util.List;

class ConfigReaderTest {

    private static final String EXAMPLE = "src/test/resources/thesis/example.yaml";

    @Test
    void theThesisExampleIsAccepted() {
        var config = ConfigReader.named(EXAMPLE);

        assertThat(config.seed()).isEqualTo(42);
        assertThat(config.turns()).isEqualTo(new Config.Turns(180, Duration.ofSeconds(1)));
        assertThat(config.users())
                .isEqualTo(
                        new Config.Users(
                                10,
                                Duration.ofMillis(900),
                                "user_%06d",
                                3,
                                3,
                                new Config.Weights(5, 75, 10, 5, 5)));
        assertThat(config.topics())
                .isEqualTo(List.of(new Config.Topics(10, "namespace", 1000, true, 0)));
        assertThat(config.server()).contains(URI.create("http://localhost:8080"));
    }

    @Test
    void theOlderExampleWithoutQuittingAndTemplateIsAccepted() {
        var users = ConfigReader.named("src/test/resources/thesis/example-older.yaml").users();

        assertThat(users.weights()).isEqualTo(new Config.Weights(5, 80, 10, 5, 0));
        assertThat(users.idTemplate()).isEqualTo("user_%06d");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "newcomer",
                "constraints",
                "thesis-100",
                "thesis-500",
                "thesis-1000",
                "thesis-example",
                "thesis-writes"
            })
    void shippedFilesAreAccepted(String name) {
        assertThat(ConfigReader.named(name).name()).isEqualTo(name);
    }

    @Test
    void aTopicMayBeSkewed() {
        var config = changed("shuffle_per_user: true", "skew: gaussian 0.25");

        assertThat(config.topics().getFirst().skew()).isEqualTo(0.25);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    quit: 5               | quite: 5          | rules.users.action_probs.quite is not known
                    seed: 42              | seeds: 42         | seeds is not known
                    shuffle_per_user:     | shuffle:          | rules.topics[0].shuffle is not known
                    push_interval_s: 15   | password: x       | prometheus_pushgateway.password is not known
                    host: localhost       | ssl2: x           | ssl2 is not known
                    count: 180            | count: 0          | rules.turns.count must be
                    count: 180            | count: many       | rules.turns.count must be
                    timer_in_turns: 3     | timer_in_turns: 0 | timer_in_turns must be
                    min_duration_ms: 1000 | count: 2          | is not YAML
                    size: 1000            | size: 2           | rules.topics[0].size must be
                    user_%06d             | user              | rules.users.id_template must have
                    user_%06d             | user_%q           | rules.users.id_template must have
                    scroll: 75            | scroll: -1        | rules.users.action_probs.scroll must be
                    shuffle_per_user: true | skew: gaussian 2 | rules.topics[0].skew must be
                    shuffle_per_user: true | skew: flat       | rules.topics[0].skew must be
                    namespace_id: namespace | namespace_id:   | rules.topics[0].namespace_id is missing
                    """)
    void configurationErrorsAreReportedWithFileAndKey(String from, String to, String message) {
        assertThatThrownBy(() -> changed(from, to))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("example.yaml: ")
                .hasMessageContaining(message);
    }

    @Test
    void aSkewExcludesShufflingPerUser() {
        assertThatThrownBy(() -> changed("size: 1000", "size: 1000\n    skew: gaussian 0.1"))
                .hasMessageContaining("shuffle_per_user must be false");
    }

    private static Config changed(String from, String to) {
        String text = Resources.text(EXAMPLE);
        assertThat(text).contains(from);
        return ConfigReader.read("example.yaml", text.replace(from, to));
    }
}
