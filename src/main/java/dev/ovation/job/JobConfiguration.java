package dev.ovation.job;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Puts the jobs together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(JobSettings.class)
class JobConfiguration {

    @Bean
    Jobs jobs(JdbcTemplate jdbc, JobSettings settings) {
        return new Jobs(jdbc, settings.lease());
    }

    @Bean
    Worker worker(Jobs jobs, ObjectProvider<JobHandler> handlers, JobSettings settings) {
        return new Worker(jobs, handlers.stream().toList(), settings);
    }

    @Bean
    JobPurge jobKeeper(Jobs jobs, JobSettings settings) {
        return new JobPurge(jobs, settings);
    }
}
