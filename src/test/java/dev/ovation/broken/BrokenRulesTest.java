package dev.ovation.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.testing.Beside;
import dev.ovation.testing.RedisProcess;
import dev.ovation.testing.TestPostgres;

import io.lettuce.core.RedisClient;

import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** Checks that the list of broken rules matches the sources, and that its runs are meaningful. */
@Beside
class BrokenRulesTest {

    private static final List<TestName> CHAIN =
            List.of(TestName.of("outbox.batch.EventValidationTest"));
    private static final Path PRELUDE =
            Path.of("src/main/resources/dev/ovation/hot/script/prelude.lua");

    @TempDir private Path folder;

    @Test
    void everyRuleHasANameOfItsOwn() {
        assertThat(BrokenRule.all()).extracting(BrokenRule::name).doesNotHaveDuplicates();
    }

    @Test
    void everyTestThatIsNamedIsThere() {
        for (BrokenRule rule : BrokenRule.all()) {
            assertThat(rule.caughtBy()).as(rule.name()).isNotEmpty();
            rule.caughtBy().forEach(test -> assertThat(test.selector()).isNotNull());
        }
    }

    @Test
    void everyRuleIsFoundOnceAndTheProgramWithoutItCompiles() {
        var left = new ArrayList<>(BrokenRule.all());
        left.removeIf(rule -> !rule.file().toString().endsWith(".java"));
        while (!left.isEmpty()) {
            var oneOfEachFile = new HashMap<Path, BrokenRule>();
            left.forEach(rule -> oneOfEachFile.putIfAbsent(rule.file(), rule));
            Workshop.compile(oneOfEachFile.values(), folder);
            left.removeAll(oneOfEachFile.values());
        }
    }

    /** Otherwise every test of a script would fail, and so detect any broken rule. */
    @Test
    void everyScriptWithoutItsRuleIsTakenByRedis() throws Exception {
        String prelude = Files.readString(PRELUDE);
        var soft = new SoftAssertions();
        try (var redis = RedisProcess.start();
                var client = RedisClient.create(redis.uri());
                var connection = client.connect()) {
            for (BrokenRule rule : BrokenRule.all()) {
                if (rule.file().toString().endsWith(".lua")) {
                    String script = rule.file().equals(PRELUDE) ? "" : prelude + "\n";
                    soft.assertThatCode(() -> connection.sync().scriptLoad(script + rule.altered()))
                            .as(rule.name())
                            .doesNotThrowAnyException();
                }
            }
        }
        soft.assertAll();
    }

    /** Otherwise each test with a database would fail, and so detect any broken rule. */
    @Test
    void everyMigrationWithoutItsRuleIsTakenByPostgres() {
        var soft = new SoftAssertions();
        var jdbc = new JdbcTemplate(TestPostgres.database());
        for (BrokenRule rule : BrokenRule.all()) {
            if (rule.file().toString().endsWith(".sql")) {
                soft.assertThatCode(() -> jdbc.execute(rule.altered()))
                        .as(rule.name())
                        .doesNotThrowAnyException();
            }
        }
        soft.assertAll();
    }

    @Test
    void testsMeetABrokenMigration() throws Exception {
        var rule =
                BrokenRule.all().stream()
                        .filter(one -> one.name().equals("call-base-op"))
                        .findFirst()
                        .orElseThrow();
        var trial = trial(rule, rule.caughtBy());
        assertThat(trial.failures())
                .extracting(Trial.Failure::test)
                .contains("RelayCallTest#aBaseOfAnotherOpChangesNothing");
    }

    @Test
    void aRuleThatIsNotFoundIsAnError() {
        assertThatThrownBy(rule("no such text", "")::altered).hasMessageContaining("0 times");
        assertThatThrownBy(rule("accepted", "")::altered).hasMessageContaining("times in");
    }

    @Test
    void aHarmlessChangeIsCaughtByNoTest() throws Exception {
        var trial = trial(rule("\"conflict\"", "\"conflict\" /* as before */"), CHAIN);
        assertThat(trial.isCaught()).isFalse();
        assertThat(trial.unfit()).isEmpty();
        assertThat(trial.passed()).isPositive();
    }

    @Test
    void aBrokenRuleIsCaughtByTheTestThatFails() throws Exception {
        var trial = trial(rule("reason = CONFLICT;", "reason = null;"), CHAIN);
        assertThat(trial.failures())
                .extracting(Trial.Failure::test)
                .contains("EventValidationTest#theSameVersionWithAnotherOpIsAConflict");
        assertThat(trial.passed()).isPositive();
    }

    @Test
    void aProgramThatDoesNotStartIsNotCaught() throws Exception {
        var trial = trial(rule("\"conflict\"", "\"conflict\".substring(99)"), CHAIN);
        assertThat(trial.isCaught()).isFalse();
        assertThat(trial.unfit()).isNotEmpty();
    }

    private Trial trial(BrokenRule rule, List<TestName> tests) throws Exception {
        Workshop.build(rule, folder.resolve("classes"));
        return Trial.run(folder, tests, Duration.ofMinutes(5));
    }

    private static BrokenRule rule(String text, String instead) {
        return new BrokenRule(
                "a rule",
                "",
                Path.of("src/main/java/dev/ovation/outbox/batch/EventValidation.java"),
                text,
                instead,
                CHAIN);
    }
}
