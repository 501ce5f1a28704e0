package dev.ovation.rules.reader;

import dev.ovation.rules.RuleSet;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * A configuration and its source.
 *
 * @param hash SHA-256 in hex of the documents' names and bytes: the same files, from a folder or an
 *     archive, have the same hash on every machine and in every version of the program
 */
public record LoadedConfiguration(RuleSet configuration, String hash) {

    /** The hash of documents by name, in the order of the map. */
    static String hash(Map<String, byte[]> documents) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            documents.forEach(
                    (name, bytes) -> {
                        update(sha256, name.getBytes(StandardCharsets.UTF_8));
                        update(sha256, bytes);
                    });
            return HexFormat.of().formatHex(sha256.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    private static void update(MessageDigest digest, byte[] bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        digest.update(bytes);
    }
}
