package dev.ovation.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.ApiDocument.Operation;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** {@code Allow}: the methods of a path, those of the document with HEAD and OPTIONS. */
@ExtendWith(TwoInstances.class)
class AllowedMethodsTest {

    private final Instance service = TwoInstances.one();

    static List<String> paths() {
        return TwoInstances.document().operations().stream()
                .map(Operation::path)
                .map(path -> path.replace("{group}", "readiness"))
                .distinct()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("paths")
    void optionsNamesTheMethodsOfThePath(String path) {
        Answer plain = service.send("OPTIONS", path, null);

        assertThat(plain.status()).isEqualTo(200);
        assertThat(allowed(plain)).isEqualTo(methods(path));
        assertThat(plain.headers()).doesNotContainKey("accept-patch");
    }

    @ParameterizedTest
    @MethodSource("paths")
    void aMethodThatIsNotAllowedIsAnsweredWithTheSame(String path) {
        Answer refused = service.send("PATCH", path, "{}");

        assertThat(refused.status()).isEqualTo(405);
        assertThat(allowed(refused)).isEqualTo(methods(path));
    }

    private static Set<String> allowed(Answer answer) {
        return new TreeSet<>(
                List.of(answer.headers().getOrDefault("allow", "none").split(",\\s*")));
    }

    private static Set<String> methods(String path) {
        var methods = new TreeSet<>(Set.of("OPTIONS"));
        for (Operation each : TwoInstances.document().operations()) {
            if (each.path().replace("{group}", "readiness").equals(path)) {
                methods.add(each.method());
            }
        }
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        return methods;
    }
}
