package dev.ovation.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

class OptionsTest {

    @Test
    void withoutAnyTheNewcomersSimulationCallsAServiceOfItsOwn() {
        var options = options();

        assertThat(options.config().name()).isEqualTo("newcomer");
        assertThat(options.running()).isEmpty();
        assertThat(options.keepAlive()).isTrue();
        assertThat(options.screens()).isFalse();
    }

    @Test
    void usersAndTurnsOfTheCommandLineWin() {
        var config = options("users", "7", "turns", "9").config();

        assertThat(config.users().count()).isEqualTo(7);
        assertThat(config.turns().count()).isEqualTo(9);
    }

    @Test
    void theServerOfTheFileIsUsedWhenAskedForAndTheBaseUrlBeforeIt() {
        assertThat(options("server", "file").running())
                .contains(URI.create("http://localhost:8080"));
        assertThat(options("server", "file", "baseUrl", "http://127.0.0.1:1").running())
                .contains(URI.create("http://127.0.0.1:1"));
    }

    @Test
    void invalidOptionsAreReportedByName() {
        assertThatThrownBy(() -> options("users", "0")).hasMessageStartingWith("users: ");
        assertThatThrownBy(() -> options("turns", "x")).hasMessageStartingWith("turns: ");
        assertThatThrownBy(() -> options("reads", "all")).hasMessageStartingWith("reads: ");
        assertThatThrownBy(() -> options("server", "mine")).hasMessageStartingWith("server: ");
        assertThatThrownBy(() -> options("simulation.config", "none"))
                .hasMessageStartingWith("simulation.config: ");
    }

    @Test
    void onlyAServiceThatIsStartedIsRecorded() {
        var running = options("baseUrl", "http://127.0.0.1:1", "profile", "");

        assertThat(options("profile", "").profile()).isTrue();
        assertThat(options("profile", "false").profile()).isFalse();
        assertThatThrownBy(() -> Target.choose(running)).hasMessageStartingWith("profile: ");
    }

    @Test
    void anotherMachineIsCalledOnlyWithLeave() {
        var far = options("baseUrl", "http://192.0.2.1:8080");
        var allowed = options("baseUrl", "http://192.0.2.1:8080", "simulation.remote", "true");

        assertThatThrownBy(() -> Target.choose(far)).hasMessageContaining("simulation.remote");
        assertThat(Target.choose(allowed).uri()).isEqualTo(URI.create("http://192.0.2.1:8080"));
    }

    @Test
    void theKeyIsReadFromItsFileAndSentWithRequests(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("key"), "ovk_me_secret\n");

        var access = options("simulation.key", file.toString()).access();

        assertThat(access.authorization()).contains("Bearer ovk_me_secret");
        assertThat(access.request(URI.create("http://127.0.0.1:1")).build().headers().map())
                .containsEntry("Authorization", List.of("Bearer ovk_me_secret"));
        assertThat(options().access().authorization()).isEmpty();
    }

    @Test
    void filesOfTheAccessThatAreMissingAreReportedByName() {
        assertThatThrownBy(() -> options("simulation.key", "/none"))
                .hasMessage("simulation.key: no such file: /none");
        assertThatThrownBy(() -> options("simulation.ca", "/none"))
                .hasMessage("simulation.ca: no such file: /none");
    }

    private static Options options(String... pairs) {
        var given = new Properties();
        for (int i = 0; i < pairs.length; i += 2) {
            given.setProperty(pairs[i], pairs[i + 1]);
        }
        return Options.of(given);
    }
}
