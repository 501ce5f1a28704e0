package dev.ovation.web;

import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

import java.util.Map;

/** Answers that the service is there, without asking anything of it. */
@Controller
final class PingController {

    @GetMapping("/ping")
    Answer ping() {
        return Answer.text("pong");
    }

    @GetMapping("/")
    Answer root() {
        return Answer.json(Map.of("status", "Ok"));
    }
}
