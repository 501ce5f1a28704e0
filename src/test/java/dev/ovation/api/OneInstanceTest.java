package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;

class OneInstanceTest {

    @Test
    void aReactionIsCountedAndShown() {
        try (var redis = RedisProcess.start();
                var service = Instance.start(TestPostgres.url(), redis.uri(), Path.of("config"))) {
            assertThat(service.add("posts", "1", "ann", "👍").body())
                    .isEqualTo("{\"status\":\"ok\"}");

            assertThat(service.read("posts", "1", "ann").body())
                    .isEqualTo(
                            "{\"entity_id\":\"1\",\"reactions_count\":[{\"reaction_id\":\"👍\",\"count\":1}],"
                                    + "\"user_reactions\":{\"user_id\":\"ann\",\"reactions\":[\"👍\"]}}");
        }
    }
}
