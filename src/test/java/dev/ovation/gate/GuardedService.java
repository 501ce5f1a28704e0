package dev.ovation.gate;

import dev.ovation.web.RawHttp;
import dev.ovation.web.RawHttp.Reply;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import java.util.stream.Stream;

/** The web modules behind the authentication filter, on a free port, without database and Redis. */
record GuardedService(ConfigurableApplicationContext context) implements AutoCloseable {

    /**
     * Starts the service.
     *
     * @param settings as {@code name=value}
     */
    static GuardedService start(String... settings) {
        return new GuardedService(
                new SpringApplicationBuilder(UnguardedTest.Guarded.class)
                        .properties("spring.main.banner-mode=off")
                        .registerShutdownHook(false)
                        .run(
                                Stream.concat(Stream.of("server.port=0"), Stream.of(settings))
                                        .map(setting -> "--" + setting)
                                        .toArray(String[]::new)));
    }

    int port() {
        return port("local.server.port");
    }

    int managementPort() {
        return port("local.management.port");
    }

    private int port(String name) {
        return context.getEnvironment().getRequiredProperty(name, Integer.class);
    }

    Reply send(String method, String target, String... lines) {
        return sendTo(port(), method, target, lines);
    }

    static Reply sendTo(int port, String method, String target, String... lines) {
        return RawHttp.send(port, RawHttp.head(method, target, lines), "");
    }

    @Override
    public void close() {
        context.close();
    }
}
