package dev.ovation.bench;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * The control: a servlet that answers every request with {@code pong}. It runs on the Tomcat of the
 * service, with the same classes and the same {@code application.yaml}, but without filters, Spring
 * MVC and metrics. It has no stereotype, so that the component scan of the product in tests ignores
 * it.
 */
@ImportAutoConfiguration({
    PropertyPlaceholderAutoConfiguration.class,
    TomcatServletWebServerAutoConfiguration.class
})
class EmptyHandler {

    /** Classes of the product that configure its Tomcat, by name, because they are not public. */
    private static final Set<String> TOMCAT =
            Set.of(
                    "dev.ovation.web.tomcat.TomcatConfiguration",
                    "dev.ovation.web.tomcat.ArrivalSettings");

    public static void main(String... settings) {
        run(settings);
    }

    /** Starts the control; settings as on its command line. */
    static ConfigurableApplicationContext run(String... settings) {
        var application = new SpringApplication(EmptyHandler.class);
        application.setSources(TOMCAT);
        return application.run(settings);
    }

    @Bean
    ServletRegistrationBean<HttpServlet> pong() {
        return new ServletRegistrationBean<>(new Pong(), "/*");
    }

    private static final class Pong extends HttpServlet {

        private static final byte[] BODY = "pong".getBytes(StandardCharsets.US_ASCII);

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            response.setContentType("text/plain");
            response.setContentLength(BODY.length);
            response.getOutputStream().write(BODY);
        }
    }
}
