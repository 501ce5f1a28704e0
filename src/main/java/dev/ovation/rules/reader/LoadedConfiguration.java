package dev.ovation.rules.reader;

import dev.ovation.entity.Sha256;
import dev.ovation.rules.RuleSet;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
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
        MessageDigest digest = Sha256.digest();
        documents.forEach(
                (name, bytes) -> {
                    update(digest, name.getBytes(StandardCharsets.UTF_8));
                    update(digest, bytes);
                });
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void update(MessageDigest digest, byte[] bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        digest.update(bytes);
    }
}
