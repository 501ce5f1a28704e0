package dev.ovation.web;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.web.guard.Bulkhead;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.QueryString;

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

/** Correct and incorrect controllers of another module. */
@Controller
@TestComponent
@RequestMapping("/echo")
class EchoController {

    @RequiresScope(Scope.PUBLIC)
    @GetMapping("/query")
    HttpAnswer query(HttpServletRequest request) {
        var text = QueryString.of(request).text("text");
        return HttpAnswer.json(Map.of("text", text == null ? "" : text)).conditional(request);
    }

    @RequiresScope(Scope.PUBLIC)
    @RequestMapping("/body")
    HttpAnswer body(HttpServletRequest request) throws IOException {
        var violations = new RequestViolations();
        String text =
                IdFields.id(
                        "text", JsonBody.read(request, 1024).text("text", violations), violations);
        violations.throwIfAny();
        return HttpAnswer.json(Map.of("text", text));
    }

    @RequiresScope(Scope.PUBLIC)
    @GetMapping("/bound")
    HttpAnswer bound(@RequestParam("number") int number) {
        return HttpAnswer.json(Map.of("number", number));
    }

    @RequiresScope(Scope.PUBLIC)
    @RequestMapping("/lost")
    HttpAnswer lost() {
        throw new DataAccessResourceFailureException("the connection broke");
    }

    @RequiresScope(Scope.PUBLIC)
    @RequestMapping("/unconnected")
    HttpAnswer unconnected() {
        throw new CannotGetJdbcConnectionException("none");
    }

    @RequiresScope(Scope.PUBLIC)
    @DeleteMapping("/broken")
    HttpAnswer broken() {
        throw new IllegalStateException("the message names user-4711");
    }

    @RequiresScope(Scope.PUBLIC)
    @PostMapping("/busy")
    HttpAnswer busy() {
        var permits = new Bulkhead("writes", 1, Duration.ofMillis(1500));
        permits.take();
        permits.take();
        return HttpAnswer.text("never");
    }
}
