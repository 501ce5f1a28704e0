package dev.ovation.credential;

import dev.ovation.entity.Sha256;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The text of an API key: {@code ovk_<id>_<43 characters>_<6 characters>}. The 43 are 256 random
 * bits in base64url; the 6 are the CRC-32 of all before their underscore in base 62, so that
 * scanners distinguish a key from other text and a mistyped key is refused without a look-up.
 */
public final class ApiKey {

    /** Prefix of every key. */
    public static final String PREFIX = "ovk_";

    private static final int RANDOM_BYTES = 32;
    private static final int CHECKSUM = 6;

    /** Names of callers without a key, in logs and metrics. */
    private static final Set<String> OTHERS = Set.of("open", "anonymous", "user");

    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9.-]{0,31}");
    private static final Pattern FORM =
            Pattern.compile("ovk_[a-z0-9][a-z0-9.-]{0,31}_[A-Za-z0-9_-]{43}_[0-9A-Za-z]{6}");
    private static final String DIGITS =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private ApiKey() {}

    /** Returns whether the text can be the id of a key. */
    public static boolean isId(String id) {
        return ID.matcher(id).matches() && !OTHERS.contains(id);
    }

    /**
     * Creates a key with 256 random bits.
     *
     * @param id see {@link #isId}
     */
    public static String create(String id) {
        if (!isId(id)) {
            throw new IllegalArgumentException("no id of a key: " + id);
        }
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        String key =
                PREFIX + id + '_' + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        return key + '_' + checksum(key);
    }

    /** Returns whether the text has the form of a key and its checksum is right. */
    public static boolean isWellFormed(String text) {
        if (!FORM.matcher(text).matches()) {
            return false;
        }
        int end = text.length() - CHECKSUM;
        return text.substring(end).equals(checksum(text.substring(0, end - 1)));
    }

    /** Returns the SHA-256 of the whole key in hex, which identifies the key. */
    public static String hash(String key) {
        return Sha256.hex(key.getBytes(StandardCharsets.UTF_8));
    }

    private static String checksum(String text) {
        var crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        var digits = new StringBuilder();
        for (long rest = crc.getValue(); digits.length() < CHECKSUM; rest /= DIGITS.length()) {
            digits.append(DIGITS.charAt((int) (rest % DIGITS.length())));
        }
        return digits.reverse().toString();
    }
}
