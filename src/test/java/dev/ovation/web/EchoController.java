package dev.ovation.web;

import dev.ovation.access.Needs;
import dev.ovation.access.Scope;

import jakarta.servlet.http.HttpServletRequest;

import org.springframework.boot.test.context.TestComponent;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** What a controller of another module may do, well and badly. */
@Controller
@TestComponent
@RequestMapping("/echo")
class EchoController {

    @Needs(Scope.PUBLIC)
    @GetMapping("/query")
    Answer query(HttpServletRequest request) {
        var text = QueryString.of(request).text("text");
        return Answer.json(Map.of("text", text == null ? "" : text)).conditional(request);
    }

    @Needs(Scope.PUBLIC)
    @RequestMapping("/body")
    Answer body(HttpServletRequest request) throws IOException {
        var violations = new Violations();
        String text =
                IdFields.id(
                        "text", JsonBody.read(request, 1024).text("text", violations), violations);
        violations.throwIfAny();
        return Answer.json(Map.of("text", text));
    }

    @Needs(Scope.PUBLIC)
    @GetMapping("/bound")
    Answer bound(@RequestParam("number") int number) {
        return Answer.json(Map.of("number", number));
    }

    @Needs(Scope.PUBLIC)
    @RequestMapping("/lost")
    Answer lost() {
        throw new DataAccessResourceFailureException("the connection broke");
    }

    @Needs(Scope.PUBLIC)
    @RequestMapping("/unconnected")
    Answer unconnected() {
        throw new CannotGetJdbcConnectionException("none");
    }

    @Needs(Scope.PUBLIC)
    @DeleteMapping("/broken")
    Answer broken() {
        throw new IllegalStateException("the message names user-4711");
    }

    @Needs(Scope.PUBLIC)
    @PostMapping("/busy")
    Answer busy() {
        var permits = new Permits("writes", 1, Duration.ofMillis(1500));
        permits.take();
        permits.take();
        return Answer.text("never");
    }
}
