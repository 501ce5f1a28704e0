package dev.ovation.openapi;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

import java.io.IOException;
import java.util.List;

/** Files of Swagger UI; the script that starts it is our own. */
final class SwaggerUi {

    private static final String LIBRARY = "META-INF/maven/org.webjars/swagger-ui/pom.properties";
    private static final String FILES = "META-INF/resources/webjars/swagger-ui/";

    private final ResourceHttpRequestHandler files = new ResourceHttpRequestHandler();

    /**
     * Finds the library on the class path.
     *
     * @throws IllegalStateException when it is not there
     */
    SwaggerUi() {
        try {
            String version =
                    PropertiesLoaderUtils.loadProperties(new ClassPathResource(LIBRARY))
                            .getProperty("version");
            files.setLocations(
                    List.of(
                            new ClassPathResource("page/", SwaggerUi.class),
                            new ClassPathResource(FILES + version + "/")));
            files.afterPropertiesSet();
        } catch (Exception e) { // of afterPropertiesSet, too
            throw new IllegalStateException("Swagger UI is not on the class path", e);
        }
    }

    /**
     * Answers with a file.
     *
     * @param path of the file, without a leading slash
     * @throws ServletException if there is no such file
     */
    void answer(String path, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        request.setAttribute(HandlerMapping.PATH_WITHIN_HANDLER_MAPPING_ATTRIBUTE, path);
        files.handleRequest(request, response);
    }
}
