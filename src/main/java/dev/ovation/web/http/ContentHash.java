package dev.ovation.web.http;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(Arrays.copyOf(hash, BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
