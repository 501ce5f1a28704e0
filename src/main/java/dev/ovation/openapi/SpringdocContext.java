package dev.ovation.openapi;

import io.swagger.v3.oas.models.OpenAPI;

import org.springdoc.core.configuration.SpringDocConfiguration;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springdoc.core.properties.SpringDocConfigProperties;
import org.springdoc.core.properties.SwaggerUiConfigProperties;
import org.springdoc.core.properties.SwaggerUiOAuthProperties;
import org.springdoc.webmvc.core.configuration.SpringDocWebMvcConfiguration;
import org.springdoc.webmvc.ui.SwaggerConfig;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Beans of the separate context of springdoc; not a component, so that no scan finds it. */
@EnableWebMvc
@EnableConfigurationProperties
@Import({
    SpringDocConfiguration.class,
    SpringDocConfigProperties.class,
    SpringDocWebMvcConfiguration.class,
    SwaggerConfig.class,
    SwaggerUiConfigProperties.class,
    SwaggerUiOAuthProperties.class
})
class SpringdocContext implements WebMvcConfigurer {

    /** The document is what was written; springdoc finds nothing in controllers of raw bodies. */
    @Bean
    GlobalOpenApiCustomizer asWritten() {
        return served -> {
            OpenAPI written = written();
            served.info(written.getInfo())
                    .servers(written.getServers())
                    .tags(written.getTags())
                    .paths(written.getPaths())
                    .components(written.getComponents());
        };
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new PageHeaders());
    }

    private static OpenAPI written() {
        try {
            return OpenApiDocument.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
