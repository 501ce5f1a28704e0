package dev.ovation.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.configuration.version.ConfigurationMetrics;
import dev.ovation.configuration.version.VersionPublisher;
import dev.ovation.hot.state.Fences;
import dev.ovation.rules.Namespace;
import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.ReactionSet;
import dev.ovation.rules.RuleSet;
import dev.ovation.store.ConfigurationTable;
import dev.ovation.store.ConfigurationTable.Draft;
import dev.ovation.store.StoreFixture;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.testing.Wait;
import dev.ovation.web.problem.ProblemException;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** An instance learns of versions by its requests alone: nothing reads the table beside them. */
class RulesOfSeveralNamespacesTest {

    private static final ConfigurationTable VERSIONS = StoreFixture.configurations();

    private final CurrentRules rules =
            new CurrentRules(
                    VERSIONS,
                    new VersionPublisher(null, null, null),
                    new ConfigurationMetrics(new SimpleMeterRegistry()),
                    new PostgresBulkhead(2, 2, Wait.BOUND),
                    new Fences(1));

    @BeforeEach
    void empty() {
        new StoreFixture();
    }

    @Test
    void aNewerVersionIsTakenForAllOfThem() {
        append("one");
        assertThat(rules.forNamespace("one").version()).isEqualTo(1);
        append("one", "two");

        assertThat(rules.forNamespace(inOrder("one", "two")).version()).isEqualTo(2);
    }

    @Test
    void noVersionHasBoth() {
        append("before");
        assertThat(rules.forNamespace("before").version()).isEqualTo(1);
        append("after");

        assertThatThrownBy(() -> rules.forNamespace(inOrder("before", "after")))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("before");
        assertThat(rules.current().version()).isEqualTo(2);
    }

    private static Set<String> inOrder(String... namespaces) {
        return new LinkedHashSet<>(List.of(namespaces));
    }

    /** Stores a version, as another instance does. */
    private static void append(String... namespaces) {
        var content =
                new RuleSet(
                        List.of(new ReactionDefinition("a", null, "unicode", "a", null, null)),
                        List.of(new ReactionSet("all", List.of("a"))),
                        Stream.of(namespaces)
                                .map(id -> new Namespace(id, "all", 1, List.of()))
                                .toList());
        String hash = String.join(" ", namespaces);
        var draft = new Draft("another instance", hash, content.toJson(), Map.of(), null);
        assertThat(VERSIONS.append(draft, VERSIONS.newestVersion())).isPresent();
    }
}
