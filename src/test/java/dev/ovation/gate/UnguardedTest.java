package dev.ovation.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.web.WebTestApplication;
import dev.ovation.web.http.HttpAnswer;

import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

import java.util.function.Consumer;
import java.util.stream.Stream;

/** The application does not start if an operation requires no scope. */
class UnguardedTest {

    @Import(WebTestApplication.class)
    @ComponentScan({"dev.ovation.credential", "dev.ovation.gate"})
    static class Guarded {}

    /** No static class, so that the component scans of other tests ignore it. */
    @Controller
    class Forgetful {

        @GetMapping("/guarded")
        @RequiresScope(Scope.OPERATE)
        HttpAnswer guarded() {
            return HttpAnswer.text("guarded");
        }

        @GetMapping("/forgotten")
        HttpAnswer forgotten() {
            return HttpAnswer.text("forgotten");
        }
    }

    @Test
    void whereEverythingDemandsAScopeItStarts() {
        start(_ -> {});
    }

    @Test
    void aHandlerWithoutAScopeIsNamed() {
        assertThatThrownBy(
                        () ->
                                start(
                                        context ->
                                                context.registerBean(
                                                        Forgetful.class, () -> new Forgetful())))
                .satisfies(
                        e ->
                                assertThat(NestedExceptionUtils.getMostSpecificCause(e))
                                        .isInstanceOf(UnguardedException.class)
                                        .hasMessageContaining("forgotten")
                                        .hasMessageNotContaining("#guarded"));
    }

    @Test
    void anEndpointWithoutAScopeIsNamed() {
        assertThatThrownBy(() -> start(_ -> {}, "--management.endpoints.web.exposure.include=env"))
                .satisfies(
                        e ->
                                assertThat(NestedExceptionUtils.getMostSpecificCause(e))
                                        .isInstanceOf(UnguardedException.class)
                                        .hasMessageContaining("endpoint env"));
    }

    private static void start(Consumer<GenericApplicationContext> more, String... settings) {
        new SpringApplicationBuilder(Guarded.class)
                .initializers(context -> more.accept((GenericApplicationContext) context))
                .properties("spring.main.banner-mode=off")
                .registerShutdownHook(false)
                .run(
                        Stream.concat(Stream.of("--server.port=0"), Stream.of(settings))
                                .toArray(String[]::new))
                .close();
    }
}
