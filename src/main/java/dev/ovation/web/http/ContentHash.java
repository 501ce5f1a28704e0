package dev.ovation.web.http;

import dev.ovation.entity.Sha256;

import java.util.Arrays;
import java.util.Base64;

/** Hash of contents: equal hashes mean equal bytes. */
public final class ContentHash {

    private static final int BYTES = 16;

    private ContentHash() {}

    /**
     * Returns half of the SHA-256 of these bytes, as 22 letters, digits, {@code -} and {@code _}.
     */
    public static String of(byte[] content) {
        byte[] hash = Sha256.digest().digest(content);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, BYTES));
    }
}
