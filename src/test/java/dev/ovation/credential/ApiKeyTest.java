package dev.ovation.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;

class ApiKeyTest {

    /** CRC-32 of the text before the last underscore is 0x2982E92E, computed with zlib. */
    private static final String KNOWN =
            "ovk_feed_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA_0l8DDa";

    @Test
    void aKeyHasTheFormThatScannersLookFor() {
        assertThat(ApiKey.create("feed.a-1"))
                .matches("ovk_feed\\.a-1_[A-Za-z0-9_-]{43}_[0-9A-Za-z]{6}")
                .satisfies(key -> assertThat(ApiKey.isWellFormed(key)).isTrue());
    }

    @Test
    void theChecksumIsThatOfZlib() {
        assertThat(ApiKey.isWellFormed(KNOWN)).isTrue();
    }

    @Test
    void theHashIsThatOfSha256sum() {
        assertThat(ApiKey.hash(KNOWN))
                .isEqualTo("4887579ba98d07d8d035035bcd921f02bdd1e467eb1ac29a870f13ab86051720");
    }

    @Test
    void noTwoKeysAreTheSame() {
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < 377; i++) {
            keys.add(ApiKey.create("feed"));
        }
        assertThat(keys).hasSize(377);
    }

    @Test
    void eachMistypedCharacterIsNoticed() {
        String key = ApiKey.create("feed");
        for (int i = 0; i < key.length(); i++) {
            char other = key.charAt(i) == 'x' ? 'y' : 'x';
            String mistyped = key.substring(0, i) + other + key.substring(i + 1);
            assertThat(ApiKey.isWellFormed(mistyped)).as(mistyped).isFalse();
        }
        assertThat(ApiKey.isWellFormed(key + "x")).isFalse();
        assertThat(ApiKey.isWellFormed("")).isFalse();
    }

    @Test
    void anIdHasNoUnderscoreThatCouldEndIt() {
        assertThatThrownBy(() -> ApiKey.create("a_b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ApiKey.create("")).isInstanceOf(IllegalArgumentException.class);
    }
}
