package dev.ovation.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each rule is there for a reason: without it a schedule breaks a promise. */
class BrokenRulesTest {

    private static final int SCHEDULES = 60_000;

    @ParameterizedTest
    @EnumSource
    void withoutThisRuleAPromiseIsBroken(Rule rule) {
        var counterExample = Search.without(rule).run(1, SCHEDULES);
        assertThat(counterExample).as("a counter-example without " + rule).isPresent();
        IO.println(counterExample.get());
    }
}
