package dev.ovation;

import dev.ovation.command.Commands;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the service, or runs a command against a running service. */
@SpringBootApplication
public class Ovation {

    public static void main(String[] args) {
        Commands.run(args)
                .ifPresentOrElse(System::exit, () -> SpringApplication.run(Ovation.class, args));
    }
}
