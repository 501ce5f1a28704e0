package dev.ovation;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the service. */
@SpringBootApplication
public class Ovation {

    public static void main(String[] args) {
        SpringApplication.run(Ovation.class, args);
    }
}
