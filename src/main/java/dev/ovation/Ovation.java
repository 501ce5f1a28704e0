package dev.ovation;

import dev.ovation.command.CommandLine;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;

/** Starts the service, or runs a command against a running service. */
@SpringBootApplication
@EntityScan({"dev.ovation.social", "dev.ovation.store"})
@EnableJdbcRepositories(
        value = {"dev.ovation.social", "dev.ovation.store"},
        enableDefaultTransactions = false)
public class Ovation {

    public static void main(String[] args) {
        CommandLine.run(args)
                .ifPresentOrElse(System::exit, () -> SpringApplication.run(Ovation.class, args));
    }
}
