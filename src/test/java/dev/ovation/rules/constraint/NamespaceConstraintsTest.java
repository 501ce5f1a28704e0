package dev.ovation.rules.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

class NamespaceConstraintsTest {

    /** So that a list of many versions does not compile their constraints. */
    @Test
    void areCompiledOnceAndNotBeforeTheyAreAskedFor() {
        var keys = new AtomicInteger();
        UnaryOperator<String> key =
                name -> {
                    keys.incrementAndGet();
                    return name;
                };
        var constraints =
                NamespaceConstraints.of(
                        List.of(new Constraint("one", "!('a' in added)", "one")), Map.of(), key);

        assertThat(constraints.get(1).id()).isEqualTo("one");
        assertThat(constraints.attributes()).isEmpty();
        assertThat(keys).hasValue(0);
        String programs = constraints.programs();
        assertThat(constraints.judgesRemovals()).isFalse();
        assertThat(constraints.programs()).isSameAs(programs).contains("sa");
        assertThat(keys).hasValue(1);
    }

    /** Another release of the program may have accepted it. */
    @Test
    void oneThatDoesNotCompileJudgesNoRemoval() {
        var constraints =
                NamespaceConstraints.of(
                        List.of(new Constraint("later", "user.karma > 3", "needs karma")),
                        Map.of(),
                        UnaryOperator.identity());

        assertThat(constraints.programs()).isNotEmpty();
        assertThat(constraints.judgesRemovals()).isFalse();
    }
}
