package dev.ovation.web;

import dev.ovation.web.guard.RateLimiter;

import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Problems and request ids on a management port of its own, whose context has other filters and
 * resolvers than the application's. No component: the scan would put it into the application's
 * context.
 */
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
class ManagementPortConfiguration {

    /** Before Spring's, which knows no problems. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    HandlerExceptionResolver managementProblems(RateLimiter throttle) {
        return new ProblemResolver(throttle);
    }

    @Bean
    FilterRegistrationBean<RequestIdFilter> managementRequestIds() {
        var filter = new FilterRegistrationBean<>(new RequestIdFilter());
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return filter;
    }
}
