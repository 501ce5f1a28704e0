package empty;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A web application that answers one word. */
@SpringBootApplication
@RestController
public class Empty {

    public static void main(String[] args) {
        SpringApplication.run(Empty.class, args);
    }

    @GetMapping("/")
    String pong() {
        return "pong";
    }
}
