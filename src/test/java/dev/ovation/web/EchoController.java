package dev.ovation.web;

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

    @GetMapping("/query")
    Answer query(HttpServletRequest request) {
        var text = QueryString.of(request).text("text");
        return Answer.json(Map.of("text", text == null ? "" : text)).conditional(request);
    }

    @RequestMapping("/body")
    Answer body(HttpServletRequest request) throws IOException {
        var violations = new Violations();
        String text =
                IdFields.id(
                        "text", JsonBody.read(request, 1024).text("text", violations), violations);
        violations.throwIfAny();
        return Answer.json(Map.of("text", text));
    }

    @GetMapping("/bound")
    Answer bound(@RequestParam("number") int number) {
        return Answer.json(Map.of("number", number));
    }

    @RequestMapping("/lost")
    Answer lost() {
        throw new DataAccessResourceFailureException("the connection broke");
    }

    @RequestMapping("/unconnected")
    Answer unconnected() {
        throw new CannotGetJdbcConnectionException("none");
    }

    @DeleteMapping("/broken")
    Answer broken() {
        throw new IllegalStateException("the message names user-4711");
    }

    @PostMapping("/busy")
    Answer busy() {
        var permits = new Permits("writes", 1, Duration.ofMillis(1500));
        permits.take();
        permits.take();
        return Answer.text("never");
    }
}
