package dev.ovation.job;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.Set;
import java.util.stream.Collectors;

/** Puts the jobs together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(JobSettings.class)
class JobConfiguration {

    @Bean
    Jobs jobs(JdbcTemplate jdbc, ObjectProvider<Work> works, JobSettings settings) {
        return new Jobs(jdbc, settings.lease(), () -> namingUsers(works));
    }

    private static Set<String> namingUsers(ObjectProvider<Work> works) {
        return works.stream()
                .filter(Work::namesUsers)
                .flatMap(work -> work.kinds().stream())
                .collect(Collectors.toSet());
    }

    @Bean
    Worker worker(Jobs jobs, ObjectProvider<Work> works, JobSettings settings) {
        return new Worker(jobs, works.stream().toList(), settings);
    }

    @Bean
    JobKeeper jobKeeper(Jobs jobs, JobSettings settings) {
        return new JobKeeper(jobs, settings);
    }
}
