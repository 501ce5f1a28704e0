package dev.ovation.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.web.guard.RateLimiter;
import dev.ovation.web.guard.Unlimited;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class WebConfigurationTest {

    private final ApplicationContextRunner web =
            new ApplicationContextRunner()
                    .withUserConfiguration(WebConfiguration.class)
                    .withBean(SimpleMeterRegistry.class);

    /** A service without the bean would serve all callers without limits. */
    @Test
    void withoutARateLimiterTheServiceDoesNotStart() {
        web.withBean(Unlimited.class).run(context -> assertThat(context).hasNotFailed());
        web.run(
                context ->
                        assertThat(context.getStartupFailure())
                                .rootCause()
                                .isInstanceOfSatisfying(
                                        NoSuchBeanDefinitionException.class,
                                        missing ->
                                                assertThat(missing.getBeanType())
                                                        .isEqualTo(RateLimiter.class)));
    }
}
