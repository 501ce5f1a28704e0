package dev.ovation.web.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.access.Principal;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.RequestViolations;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

class IdFieldsTest {

    @Test
    void missingAndInvalidFieldsAreReportedAtOnce() {
        var violations = new RequestViolations();
        String namespace = IdFields.namespace("namespace_id", "a b", Principal.open(), violations);
        String entity = IdFields.id("entity_id", null, violations);
        String user = IdFields.actor("user_id", "u", Principal.open(), violations);

        assertThat(namespace).isEmpty();
        assertThat(entity).isEmpty();
        assertThat(user).isEqualTo("u");
        assertThatThrownBy(violations::throwIfAny)
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining(
                        "namespace_id must be 1 to 64 letters, digits, dots, underscores or"
                                + " hyphens; entity_id is missing");
    }

    @Test
    void theUserOfATokenIsTheDefaultAndTheOnlyActor() {
        Principal ann = Principal.user("ann", Set.of(), null);

        assertThat(refusal(v -> assertThat(actor(null, ann, v)).isEqualTo("ann"))).isNull();
        assertThat(refusal(v -> assertThat(actor("", ann, v)).isEqualTo("ann"))).isNull();
        assertThat(refusal(v -> assertThat(actor("ann", ann, v)).isEqualTo("ann"))).isNull();
        assertThat(refusal(v -> actor("bob", ann, v)).members()).containsEntry("user_id", "bob");
        assertThat(refusal(v -> actor("Ann", ann, v)).code()).isEqualTo(ProblemCode.FORBIDDEN);
        assertThat(refusal(v -> assertThat(viewer(null, ann, v)).isEqualTo("ann"))).isNull();
        assertThat(refusal(v -> assertThat(viewer("", ann, v)).isNull())).isNull();
        assertThat(refusal(v -> viewer("bob", ann, v)).code()).isEqualTo(ProblemCode.FORBIDDEN);
    }

    @Test
    void anonymousCallersMayNameNoUser() {
        Principal stranger = Principal.anonymous(Set.of(), "a key is needed");

        assertThat(refusal(v -> assertThat(viewer(null, stranger, v)).isNull())).isNull();
        assertThat(refusal(v -> viewer("ann", stranger, v)).code())
                .isEqualTo(ProblemCode.UNAUTHENTICATED);
        assertThat(refusal(v -> actor("ann", stranger, v)).code())
                .isEqualTo(ProblemCode.UNAUTHENTICATED);
    }

    @Test
    void aCallerOfSomeNamespacesEntersNoOtherAndNotAll() {
        Principal feed = Principal.backend("feed", Set.of(), Set.of("posts"), Map.of());

        assertThat(refusal(v -> IdFields.namespace("n", "posts", feed, v))).isNull();
        assertThat(refusal(v -> IdFields.namespace("n", "ratings", feed, v)).members())
                .containsEntry("namespace_id", "ratings");
        assertThat(refusal(v -> IdFields.everyNamespace(feed, v)).members())
                .containsEntry("namespace_id", "*");
        assertThatThrownBy(() -> IdFields.namespace("ratings", feed))
                .isInstanceOf(ProblemException.class);
    }

    @Test
    void malformedIsReportedBeforeForbidden() {
        Principal ann = Principal.user("ann", Set.of(), null);
        var violations = new RequestViolations();
        IdFields.actor("user_id", "bob", ann, violations);
        IdFields.id("entity_id", null, violations);

        assertThatThrownBy(violations::throwIfAny).hasMessageContaining("entity_id is missing");
    }

    private static String actor(String value, Principal who, RequestViolations violations) {
        return IdFields.actor("user_id", value, who, violations);
    }

    private static String viewer(String value, Principal who, RequestViolations violations) {
        return IdFields.viewer("viewer_id", value, who, violations);
    }

    /** The refusal; null if there is none. */
    private static ProblemException refusal(Consumer<RequestViolations> reading) {
        var violations = new RequestViolations();
        reading.accept(violations);
        return violations.takeRefusal();
    }
}
