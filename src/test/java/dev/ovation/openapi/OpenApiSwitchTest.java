package dev.ovation.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Setting {@code ovation.openapi.enabled}. */
class OpenApiSwitchTest {

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withUserConfiguration(OpenApiController.class);

    @Test
    void theDocumentIsServedByDefault() {
        runner.run(context -> assertThat(context).hasSingleBean(OpenApiController.class));
    }

    @Test
    void theDocumentIsNotServedWhenItIsSwitchedOff() {
        runner.withPropertyValues("ovation.openapi.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(OpenApiController.class));
    }
}
