package dev.ovation.start;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.env.ConfigurableEnvironment;

/** Checks the names of settings before all beans are created, and bounds the stop of a phase. */
@Configuration(proxyBeanMethods = false)
class StartConfiguration {

    @Bean
    static BeanFactoryPostProcessor knownSettings(ConfigurableEnvironment environment) {
        return _ -> UnknownSettings.check(environment);
    }

    /** Jobs stop within their own time, because {@code SHUTDOWN_TIMEOUT} is that of requests. */
    @Bean
    static BeanPostProcessor timeOfBackground() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessBeforeInitialization(Object bean, String name) {
                if (bean instanceof DefaultLifecycleProcessor phases) {
                    phases.setTimeoutForShutdownPhase(
                            StartPhase.BACKGROUND, StoppedBeside.LIMIT.toMillis());
                }
                return bean;
            }
        };
    }
}
