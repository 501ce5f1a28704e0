package dev.ovation.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.credential.Credentials.CredentialCheck;
import dev.ovation.testing.MovedClock;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;

/** API keys of a file that changes. */
class ApiKeysTest {

    private static final Duration UNTIL_READ_AGAIN = Duration.ofSeconds(10);

    @TempDir Path folder;
    private final MovedClock clock = new MovedClock(Instant.parse("2026-11-22T12:00:00Z"));
    private TestKeys file;

    @BeforeEach
    void write() {
        file = new TestKeys(folder.resolve("keys.yaml"));
    }

    @Test
    void aKeyStandsForItsEntry() throws CredentialException {
        String feed = file.add("feed", "scopes: [erase]");
        String other = file.add("other", "scopes: [erase]");
        Credentials credentials = credentials();

        assertThat(credentials.resolve(feed).getName()).isEqualTo("feed");
        assertThat(credentials.resolve(other).getName()).isEqualTo("other");
        assertThat(credentials.resolveKey(other, CredentialCheck.UNCOUNTED).getName())
                .isEqualTo("other");
    }

    @Test
    void aKeyOfTheRightFormThatIsNotThereIsRefused() {
        file.add("feed", "scopes: [erase]");
        Credentials credentials = credentials();

        assertRefused(credentials, ApiKey.create("feed"));
        assertRefused(credentials, "ovk_");
        assertRefused(credentials, "anything");
    }

    @Test
    void aRevokedKeyEndsWithTheNextReadingAlthoughItWasKept() throws CredentialException {
        String feed = file.add("feed", "scopes: [erase]");
        String other = file.add("other", "scopes: [erase]");
        Credentials credentials = credentials();
        assertThat(credentials.resolve(feed).getName()).isEqualTo("feed");

        file.remove("feed");
        clock.move(UNTIL_READ_AGAIN);

        assertRefused(credentials, feed);
        assertThat(credentials.resolve(other).getName()).isEqualTo("other");
    }

    /** A partly written entry could be an entry for all namespaces. */
    @Test
    void aFileThatIsBeingWrittenIsNotBelievedYet() throws Exception {
        String feed = file.add("feed", "scopes: [erase]");
        Credentials credentials = credentials();
        file.remove("feed");
        clock.move(UNTIL_READ_AGAIN);
        Files.setLastModifiedTime(file.file(), FileTime.from(clock.instant()));

        assertThat(credentials.resolve(feed).getName()).isEqualTo("feed");
        clock.move(Duration.ofSeconds(1));

        assertRefused(credentials, feed);
    }

    @Test
    void aRefreshReadsTheFileAtOnce() throws CredentialException {
        Credentials credentials = credentials();
        String feed = file.add("feed", "scopes: [erase]");
        assertRefused(credentials, feed);

        credentials.refresh();

        assertThat(credentials.resolve(feed).getName()).isEqualTo("feed");
    }

    @Test
    void aFileThatIsSpoiltChangesNothing() throws CredentialException {
        String feed = file.add("feed", "scopes: [erase]");
        Credentials credentials = credentials();

        file.spoil();
        clock.move(UNTIL_READ_AGAIN);

        assertThat(credentials.resolve(feed).getName()).isEqualTo("feed");
        assertThatThrownBy(credentials::refresh).isInstanceOf(InvalidKeysException.class);
        assertThat(credentials.resolve(feed).getName()).isEqualTo("feed");

        file.remove("feed");
        clock.move(UNTIL_READ_AGAIN);
        assertRefused(credentials, feed);
    }

    @Test
    void aKeyEndsAtItsTimeAlthoughItWasKept() throws CredentialException {
        String feed = file.add("feed", "scopes: [erase]", "expires: 2026-11-22T12:00:05Z");
        Credentials credentials = credentials();
        assertThat(credentials.resolve(feed).getName()).isEqualTo("feed");

        clock.move(Duration.ofSeconds(4));
        assertThat(credentials.resolve(feed).getName()).isEqualTo("feed");
        clock.move(Duration.ofSeconds(1));

        assertRefused(credentials, feed);
    }

    @Test
    void aFileThatIsNotThereIsNoStart() {
        assertThatThrownBy(() -> new ApiKeys(folder.resolve("none.yaml"), clock))
                .isInstanceOf(InvalidKeysException.class);
    }

    private Credentials credentials() {
        return new Credentials(new ApiKeys(file.file(), clock), null, clock);
    }

    private static void assertRefused(Credentials credentials, String key) {
        assertThatThrownBy(() -> credentials.resolve(key))
                .isInstanceOfSatisfying(
                        CredentialException.class,
                        e -> {
                            assertThat(e.isUnavailable()).isFalse();
                            assertThat(e.getMessage()).doesNotContain(key);
                        });
    }
}
