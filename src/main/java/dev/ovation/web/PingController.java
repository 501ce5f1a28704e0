package dev.ovation.web;

import dev.ovation.access.Needs;
import dev.ovation.access.Scope;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

import java.util.Map;

/** Answers that the service is there, without asking anything of it. */
@Controller
final class PingController {

    @GetMapping("/ping")
    @Needs(Scope.PUBLIC)
    Answer ping() {
        return Answer.text("pong");
    }

    @GetMapping("/")
    @Needs(Scope.PUBLIC)
    Answer root() {
        return Answer.json(Map.of("status", "Ok"));
    }
}
