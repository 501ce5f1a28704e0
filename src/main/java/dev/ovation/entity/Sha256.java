package dev.ovation.entity;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, which every JDK has. */
public final class Sha256 {

    private Sha256() {}

    /** Returns a new digest. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JDK lacks SHA-256", e);
        }
    }

    /** Returns the hash of these bytes in lower-case hex. */
    public static String hex(byte[] content) {
        return HexFormat.of().formatHex(digest().digest(content));
    }
}
