package dev.ovation.job;

import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Creates the beans of jobs. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({JobSettings.JobOptions.class, JobSettings.JobConstants.class})
class JobConfiguration {

    @Bean
    JobSettings jobSettings(JobSettings.JobOptions bound, JobSettings.JobConstants internal) {
        return new JobSettings(bound, internal);
    }

    @Bean
    JobTable jobs(JdbcTemplate jdbc, JobSettings settings) {
        return new JobTable(jdbc, settings.lease());
    }

    @Bean
    JobWorker worker(JobTable jobs, ObjectProvider<JobHandler> handlers, JobSettings settings) {
        return new JobWorker(jobs, handlers.stream().toList(), settings);
    }

    @Bean
    JobMetrics jobMetrics(
            JobTable jobs, ObjectProvider<JobHandler> handlers, MeterRegistry registry) {
        return new JobMetrics(
                jobs,
                handlers.stream().flatMap(each -> each.kinds().stream()).sorted().toList(),
                registry);
    }

    @Bean
    JobPurge jobKeeper(JobTable jobs, JobSettings settings) {
        return new JobPurge(jobs, settings);
    }
}
