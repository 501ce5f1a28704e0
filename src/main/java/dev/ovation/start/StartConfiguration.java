package dev.ovation.start;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/** Checks the names of settings before all beans are created. */
@Configuration(proxyBeanMethods = false)
class StartConfiguration {

    @Bean
    static BeanFactoryPostProcessor knownSettings(ConfigurableEnvironment environment) {
        return _ -> UnknownSettings.check(environment);
    }
}
