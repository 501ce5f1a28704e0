package dev.ovation.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each rule is necessary: without it a schedule breaks a promise that the same schedule keeps with
 * it.
 */
@QuietOutbox
class BrokenRulesTest {

    private static final int SCHEDULES = 5000;

    @ParameterizedTest
    @EnumSource
    void withoutThisRuleAPromiseIsBroken(Rule rule) {
        assertThat(Search.without(rule).run(rule.seed, SCHEDULES))
                .as("a schedule that needs " + rule)
                .isPresent();
    }
}
