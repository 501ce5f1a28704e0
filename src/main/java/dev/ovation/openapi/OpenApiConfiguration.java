package dev.ovation.openapi;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.ServletWrappingController;

import java.util.Properties;

/** Keeps springdoc in an application context of its own, which a start does not pay for. */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {

    /** A servlet within ours, below whose context its own one is. */
    @Bean
    @Lazy
    ServletWrappingController springdoc() {
        var parameters = new Properties();
        parameters.setProperty(
                "contextClass", AnnotationConfigWebApplicationContext.class.getName());
        parameters.setProperty("contextConfigLocation", SpringdocContext.class.getName());
        var controller = new ServletWrappingController();
        controller.setServletClass(DispatcherServlet.class);
        controller.setInitParameters(parameters);
        return controller;
    }
}
