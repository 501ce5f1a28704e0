package dev.ovation.store;

import com.zaxxer.hikari.HikariDataSource;

import dev.ovation.entity.EntityKey;
import dev.ovation.testing.TestPostgres;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import java.util.List;
import java.util.function.Supplier;

import javax.sql.DataSource;

/** A migrated database on a real Postgres, emptied. */
public final class StoreFixture {

    public static final String ODD = "/ \\ ; % .. | { } : , \"q\" 'q' 🏳️‍🌈";
    public static final EntityKey POST = new EntityKey("posts", "post " + ODD);
    public static final EntityKey OTHER = new EntityKey("posts", "other");
    public static final String ANN = "ann " + ODD;
    public static final String BEN = "ben";
    public static final String LIKE = "👍🏽";
    public static final String DISLIKE = "👎 " + ODD;

    private static final HikariDataSource SOURCE = pool();

    public final JdbcTemplate jdbc;
    private final JdbcTransactionManager manager;

    public StoreFixture() {
        this(SOURCE);
    }

    /** Uses a database of the test's own. */
    StoreFixture(DataSource source) {
        jdbc = new JdbcTemplate(source);
        manager = new JdbcTransactionManager(source);
        jdbc.execute(
                """
                truncate partition, epoch, entity, counter, user_reaction, reaction_name, idempotency,
                         removal,                         rejected_event, configuration, reaction_spelling
                """);
    }

    private static HikariDataSource pool() {
        var source = new HikariDataSource();
        source.setDataSource(TestPostgres.database());
        source.setMaximumPoolSize(8);
        return source;
    }

    /** Returns the repository of configurations; each call creates a context that stays open. */
    public static ConfigurationTable configurations() {
        var context = new AnnotationConfigApplicationContext();
        context.registerBean(
                "transactionManager",
                JdbcTransactionManager.class,
                () -> new JdbcTransactionManager(SOURCE));
        context.registerBean(
                NamedParameterJdbcTemplate.class, () -> new NamedParameterJdbcTemplate(SOURCE));
        context.register(Repositories.class);
        context.refresh();
        return context.getBean(ConfigurationTable.class);
    }

    /** No component, because services of other tests would find it. */
    @EnableJdbcRepositories(enableDefaultTransactions = false)
    static class Repositories extends AbstractJdbcConfiguration {}

    /** Runs an action in a transaction of its own, on a connection other than an open one. */
    public <T> T transaction(Supplier<T> work) {
        var template = new TransactionTemplate(manager);
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        return template.execute(_ -> work.get());
    }

    /** Transactions, each within an open one. */
    public TransactionTemplate transactions() {
        return new TransactionTemplate(manager);
    }

    public void transaction(Runnable work) {
        transaction(
                () -> {
                    work.run();
                    return true;
                });
    }

    /** Rows as text, one each, columns separated by a space. */
    public List<String> rows(String sql) {
        return TestPostgres.rows(jdbc, sql);
    }
}
