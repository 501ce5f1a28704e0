package dev.ovation.web;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.web.http.HttpAnswer;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

import java.util.Map;

/** Liveness without any dependency. */
@Controller
final class PingController {

    @GetMapping("/ping")
    @RequiresScope(Scope.PUBLIC)
    HttpAnswer ping() {
        return HttpAnswer.text("pong");
    }

    @GetMapping("/")
    @RequiresScope(Scope.PUBLIC)
    HttpAnswer root() {
        return HttpAnswer.json(Map.of("status", "Ok"));
    }
}
