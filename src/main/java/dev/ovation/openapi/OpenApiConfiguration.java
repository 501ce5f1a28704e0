package dev.ovation.openapi;

import io.swagger.v3.oas.models.OpenAPI;

import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springdoc.core.properties.SwaggerUiConfigProperties;
import org.springdoc.core.properties.SwaggerUiOAuthProperties;
import org.springdoc.core.providers.ObjectMapperProvider;
import org.springdoc.webmvc.ui.SwaggerIndexPageTransformer;
import org.springdoc.webmvc.ui.SwaggerIndexTransformer;
import org.springdoc.webmvc.ui.SwaggerWelcomeCommon;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Has springdoc serve {@code /v3/api-docs} and {@code /swagger-ui.html}. Whatever it needs is made
 * when somebody first asks for one of them: a start pays for nothing of it.
 */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration implements WebMvcConfigurer {

    private static final String SPRINGDOC = "org.springdoc.";

    /** The document is what was written; springdoc finds nothing in controllers of raw bodies. */
    @Bean
    @Lazy
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

    /** In place of springdoc's own, which would make its JSON mapper at the start. */
    @Bean
    SwaggerIndexTransformer indexPageTransformer(
            ObjectProvider<SwaggerUiConfigProperties> settings,
            ObjectProvider<SwaggerUiOAuthProperties> oauth,
            ObjectProvider<SwaggerWelcomeCommon> welcome,
            ObjectProvider<ObjectMapperProvider> mapper) {
        return (request, resource, chain) ->
                new SwaggerIndexPageTransformer(
                                settings.getObject(),
                                oauth.getObject(),
                                welcome.getObject(),
                                mapper.getObject())
                        .transform(request, resource, chain);
    }

    /** All of springdoc's beans say that they are not lazy; most of them need not be that. */
    @Bean
    static BeanFactoryPostProcessor springdocWaitsUntilItIsAsked() {
        return OpenApiConfiguration::makeLazy;
    }

    private static void makeLazy(ConfigurableListableBeanFactory factory) {
        for (String name : factory.getBeanDefinitionNames()) {
            BeanDefinition definition = factory.getBeanDefinition(name);
            if (isOfSpringdoc(definition.getFactoryBeanName())
                    || isOfSpringdoc(definition.getBeanClassName())) {
                definition.setLazyInit(true);
            }
        }
    }

    private static boolean isOfSpringdoc(@Nullable String name) {
        return name != null && name.startsWith(SPRINGDOC);
    }

    private static OpenAPI written() {
        try {
            return Document.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new Headers())
                .addPathPatterns("/v3/api-docs*/**", "/swagger-ui.html", "/swagger-ui/**");
    }
}
