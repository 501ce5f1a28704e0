package dev.ovation.command;

import dev.ovation.store.postgres.MigrationConfiguration;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Import;

import java.util.List;

/**
 * Migrates the schema and ends. It uses the settings of the service, and migrates also where these
 * forbid it to the service.
 */
final class MigrateCommand {

    /** The beans that a migration needs. Without a stereotype, so that the service has none. */
    @ImportAutoConfiguration({DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
    @Import(MigrationConfiguration.class)
    static class Migration {}

    MigrateCommand(List<String> arguments) {
        if (!arguments.isEmpty()) {
            throw new Arguments.MisuseException("migrate has no arguments: " + arguments);
        }
    }

    /** Logs what fails; the log has the reason while it waits for Postgres. */
    int run() {
        var program =
                new SpringApplicationBuilder(Migration.class)
                        .web(WebApplicationType.NONE)
                        .bannerMode(Banner.Mode.OFF)
                        .logStartupInfo(false);
        try (var _ = program.run("--spring.flyway.enabled=true")) {
            return CommandLine.DONE;
        } catch (RuntimeException e) {
            return CommandLine.FAILED; // Spring has logged it
        }
    }
}
