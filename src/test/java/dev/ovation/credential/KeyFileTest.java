package dev.ovation.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.access.Policy;
import dev.ovation.access.Principal;
import dev.ovation.access.Rate;
import dev.ovation.access.Scope;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

class KeyFileTest {

    private static final String A = "a".repeat(64);
    private static final String B = "1".repeat(64);

    @Test
    void anEntryDefinesTheRightsAndTheExpiryOfItsKeys() {
        Map<String, ResolvedCredential> keys =
                read(
                        """
                        - id: feed
                          sha256: [%s, %s]
                          scopes: [reactions:read, crowds:read]
                          namespaces: [posts, 7]
                          expires: 2027-06-30
                        """
                                .formatted(A, B));

        assertThat(keys).containsOnlyKeys(A, B);
        Principal feed = keys.get(B).principal();
        assertThat(feed.getName()).isEqualTo("feed");
        assertThat(feed.may(Scope.REACTIONS_READ)).isTrue();
        assertThat(feed.may(Scope.CROWDS_READ)).isTrue();
        assertThat(feed.may(Scope.REACTIONS_WRITE)).isFalse();
        assertThat(feed.mayEnter("posts")).isTrue();
        assertThat(feed.mayEnter("7")).isTrue();
        assertThat(feed.mayEnter("ratings")).isFalse();
        assertThat(feed.mayEnterAll()).isFalse();
        assertThat(feed.mayActAs("anybody")).isTrue();
        assertThat(keys.get(A).until()).isEqualTo(Instant.parse("2027-07-01T00:00:00Z"));
    }

    @Test
    void withoutNamespacesAndAnEndItIsForAllAndForEver() {
        ResolvedCredential key = read(entry("scopes: [configure]")).get(A);

        assertThat(key.principal().mayEnterAll()).isTrue();
        assertThat(key.until()).isEqualTo(Instant.MAX);
    }

    @Test
    void anEntryHasLimitsOfItsOwn() {
        String limits = "limits: {reads: 1000/1s, user-writes: 30/10s, erasures: none}";

        Principal feed = read(entry("scopes: [erase]\n  " + limits)).get(A).principal();

        assertThat(feed.limit(Policy.KEY_READS)).isEqualTo(Rate.of("1000/1s"));
        assertThat(feed.limit(Policy.USER_WRITES)).isEqualTo(Rate.of("30/10s"));
        assertThat(feed.limit(Policy.ERASURES)).isEqualTo(Rate.NONE);
        assertThat(feed.limit(Policy.KEY_WRITES)).isNull();
        assertThat(feed.limit(Policy.USER_READS)).isNull();
    }

    @Test
    void anEmptyListHasNoKeys() {
        assertThat(read("[]")).isEmpty();
    }

    /** A program that writes a file often truncates it first. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "# no keys", "{}", "keys"})
    void aFileThatIsNoListIsNoFileOfKeys(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(InvalidKeysException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "scopes: [reactions:delete]",
                "scopes: [public]",
                "scopes: []",
                "scopes: reactions:read",
                "namespaces: [posts]",
                "scopes: [erase], namespace: [posts]",
                "scopes: [erase], namespaces: []",
                "scopes: [erase], namespaces: [a b]",
                "scopes: [transfer], namespaces: [posts]",
                "scopes: [configure], namespaces: [posts]",
                "scopes: [operate], namespaces: [posts]",
                "scopes: [metrics], namespaces: [posts]",
                "scopes: [erase], scopes: [erase]",
                "scopes: [erase], expires: soon",
                "scopes: [erase], id: other",
                "scopes: [erase], sha256: [abc]",
                "scopes: [erase], limits: {}",
                "scopes: [erase], limits: 30/10s",
                "scopes: [erase], limits: {requests: 30/10s}",
                "scopes: [erase], limits: {reads: 30}",
                "scopes: [erase], limits: {reads: [30/10s]}",
                "scopes: [erase], limits: {reads: 1/1s, reads: 1/1s}",
            })
    void anInvalidMemberIsRefusedWithItsLine(String members) {
        String text = entry(members.replace("], ", "]\n  "));

        assertThatThrownBy(() -> read(text))
                .isInstanceOfSatisfying(
                        InvalidKeysException.class, e -> assertThat(e.line()).isPositive());
    }

    @ParameterizedTest
    @ValueSource(strings = {"id: feed", "- feed", "- {", "- id: a_b\n  scopes: [erase]"})
    void aFileThatIsNoListOfKeysIsRefused(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(InvalidKeysException.class);
    }

    @Test
    void noTwoEntriesShareAnIdOrAKey() {
        String one = entry("scopes: [erase]");

        assertThatThrownBy(() -> read(one + one.replace(A, B)))
                .hasMessageContaining("id `feed` is given twice");
        assertThatThrownBy(() -> read(one + one.replace("feed", "other")))
                .hasMessageContaining("sha256 is given twice");
    }

    private static String entry(String members) {
        return "- id: feed\n  sha256: [%s]\n  %s\n".formatted(A, members);
    }

    private static Map<String, ResolvedCredential> read(String text) {
        return KeyFile.read(text.getBytes(StandardCharsets.UTF_8));
    }
}
