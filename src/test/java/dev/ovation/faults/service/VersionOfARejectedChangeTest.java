package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.Map;

/** A change is shown before its commit, and then rejected; the next change has the same version. */
@Beside
@ExtendWith(Pair.class)
class VersionOfARejectedChangeTest {

    private static final String ENTITY = "shown and rejected";

    @Test
    void theVersionOfARejectedChangeIsNotAnsweredAsUnchanged() {
        Pair.other().add(POSTS, ENTITY, "ann", "👍");
        Pair.stage().awaitDrained();
        String rejected;
        try (var _ = Pair.stage().holdRelays()) {
            Pair.stage().propose(POSTS, ENTITY, "poison\0", "🔥");
            rejected = version();
            Pair.stage().release();
        }
        Pair.stage().awaitDrained();
        assertThat(Pair.other().add(POSTS, ENTITY, "ben", "👍").status()).isEqualTo(200);

        assertThat(number(version())).isEqualTo(number(rejected));
        assertThat(asked(version()).has("unchanged")).isTrue();
        assertThat(asked(rejected).at("/reactions_count/0/count").asLong()).isEqualTo(2);
    }

    private static String version() {
        var query =
                Map.of(
                        "namespace_id",
                        POSTS,
                        "entity_id",
                        ENTITY,
                        "user_id",
                        "reader",
                        "details",
                        "true");
        return Pair.one()
                .get("/reactions?" + Instance.encode(query))
                .json()
                .at("/version")
                .asString();
    }

    private static String number(String version) {
        return version.substring(0, version.lastIndexOf('.'));
    }

    /** The entity for a client that has this version. */
    private static JsonNode asked(String version) {
        var body =
                Map.of(
                        "namespace_id",
                        POSTS,
                        "viewer_id",
                        "reader",
                        "entities",
                        List.of(Map.of("entity_id", ENTITY, "version", version)));
        return Pair.one()
                .send("POST", "/reactions/query", JsonMapper.shared().writeValueAsString(body))
                .json()
                .at("/entities/0");
    }
}
