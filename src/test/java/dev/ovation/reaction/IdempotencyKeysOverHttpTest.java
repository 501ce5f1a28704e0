package dev.ovation.reaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.reaction.write.IdempotencyKey;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;

class IdempotencyKeysOverHttpTest extends ReactionsHttpFixture {

    @Test
    void theRequestHashIgnoresRequestSyntaxAndPreferences() {
        IdempotencyKey key = keyOf("DELETE", "/reactions", IDS);

        assertThat(key.value()).isEqualTo("k-1");
        assertThat(key.requestHash()).matches("[0-9a-f]{64}");
        assertThat(keyOf("DELETE", "/reactions", " " + IDS, "Prefer: return=representation"))
                .isEqualTo(key);
        assertThat(keyOf("DELETE", "/reactions?" + IDS_AS_QUERY, IDS)).isEqualTo(key);
    }

    @Test
    void everyPartOfTheRequestMakesAnotherHash() {
        List<String> hashes =
                List.of(
                        keyOf("DELETE", "/reactions", IDS).requestHash(),
                        keyOf("DELETE", "/reactions", IDS.replace("\"e\"", "\"f\"")).requestHash(),
                        keyOf("DELETE", "/reactions", IDS.replace("\"u\"", "\"v\"")).requestHash(),
                        keyOf("DELETE", "/reactions", IDS.replace("\"r\"", "\"s\"")).requestHash(),
                        keyOf("POST", "/reactions?if_exists=ok", IDS).requestHash(),
                        keyOf("POST", "/reactions?if_exists=ok&force=true", IDS).requestHash());

        assertThat(hashes).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "é", "LONG"})
    void aKeyThatIsNoneIsRefused(String value) {
        String key = value.equals("LONG") ? "x".repeat(256) : value;

        assertViolations(
                send("DELETE", "/reactions", IDS, "Idempotency-Key: " + key), "Idempotency-Key");
    }

    @Test
    void twoKeysAreRefused() {
        assertViolations(
                send("DELETE", "/reactions", IDS, "Idempotency-Key: a", "Idempotency-Key: b"),
                "Idempotency-Key");
    }

    private IdempotencyKey keyOf(String method, String target, String body, String... lines) {
        String[] all = Arrays.copyOf(lines, lines.length + 1);
        all[lines.length] = "Idempotency-Key:  k-1 ";
        assertThat(send(method, target, body, all).status()).isEqualTo(200);
        return reactions.lastCommand.key();
    }
}
