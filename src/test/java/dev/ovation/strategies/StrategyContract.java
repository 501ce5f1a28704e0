package dev.ovation.strategies;

import dev.ovation.testing.TestPostgres;
import dev.ovation.testing.TestRules;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

/** A strategy within this JVM, on a database of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StrategyContract extends ParallelContract {

    private final String name;
    private ConfigurableApplicationContext context;

    StrategyContract(String name) {
        this.name = name;
    }

    @BeforeAll
    final void start(@TempDir Path rules) {
        TestRules.shared().writeTo(rules);
        String url = TestPostgres.emptyUrl();
        Strategies.named(name, null, null)
                .create(new DriverManagerDataSource(url, "postgres", "postgres"));
        context =
                StrategyApplication.run(
                        List.of(
                                "--server.port=0",
                                "--spring.datasource.url=" + url,
                                "--spring.datasource.username=postgres",
                                "--spring.datasource.password=postgres",
                                "--spring.jmx.enabled=false",
                                "--spring.main.banner-mode=off",
                                "--ovation.config-dir=" + rules,
                                "--strategies.name=" + name,
                                "--strategies.refresh=1h"));
    }

    @AfterAll
    final void stop() {
        context.close();
    }

    final <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    final int port() {
        return ((ServletWebServerApplicationContext) context).getWebServer().getPort();
    }

    @Override
    final Map<String, Long> recount(String namespace) {
        return Recount.of(bean(DataSource.class), bean(Strategy.class), namespace, entity);
    }
}
