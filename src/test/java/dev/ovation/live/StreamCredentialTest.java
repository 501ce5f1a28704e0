package dev.ovation.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.credential.TestKeys;
import dev.ovation.faults.Stage;
import dev.ovation.testing.EventStream;
import dev.ovation.testing.Patience;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Streams of callers whose credentials end. */
class StreamCredentialTest {

    @TempDir Path folder;

    @Test
    void aStreamEndsWhenItsKeyIsRevoked() {
        var keys = new TestKeys(folder.resolve("keys.yaml"));
        String reader = keys.add("reader", "scopes: [reactions:read]");
        String narrow = keys.add("narrow", "scopes: [reactions:read]", "namespaces: [posts]");
        String admin = keys.add("admin", "scopes: [configure, operate]");
        try (var stage = Stage.open()) {
            var service =
                    stage.launch(
                            Patience.longWith(
                                    "ovation.access.keys=" + keys.file(),
                                    "ovation.internal.live.check=50ms"));
            var _ = service.attached("Authorization", "Bearer " + admin);
            try (var stays = watch(service.port(), reader);
                    var ends = watch(service.port(), narrow)) {
                keys.remove("narrow");
                keys.store(narrow, "narrow", "scopes: [reactions:read]", "namespaces: [notes]");
                var refreshed =
                        service.send(
                                "POST",
                                "/actuator/refresh",
                                null,
                                "Authorization",
                                "Bearer " + admin);
                assertThat(refreshed.status()).isEqualTo(200);
                Wait.until("the stream has ended", ends::isEnded);
                var bye = ends.events().getLast();
                assertThat(bye.name()).isEqualTo("bye");
                assertThat(bye.json().at("/reason").asString()).isEqualTo("credential");
                assertThat(stays.isEnded()).isFalse();
            }
            try (var refused =
                    EventStream.open(
                            service.port(), Stage.POSTS, List.of("1"), null, bearer(narrow))) {
                assertThat(refused.status()).isEqualTo(403);
            }
        }
    }

    private static EventStream watch(int port, String key) {
        return EventStream.open(port, Stage.POSTS, List.of("1"), null, bearer(key))
                .awaitSnapshots(List.of("1"));
    }

    private static String bearer(String key) {
        return "Authorization: Bearer " + key;
    }
}
