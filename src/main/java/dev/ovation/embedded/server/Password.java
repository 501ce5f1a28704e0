package dev.ovation.embedded.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;

/** Secrets of an embedded server, in files that only the user of this process may read. */
final class Password {

    private static final int BYTES = 32;

    private Password() {}

    /** Returns the password that {@code file} holds; writes a random one when there is no file. */
    static String kept(Path file) throws IOException {
        if (!Files.exists(file)) {
            byte[] random = new byte[BYTES];
            new SecureRandom().nextBytes(random);
            write(file, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
        }
        return Files.readString(file).strip();
    }

    /** Writes a file with mode 0600 in one step, in the place of one that is there. */
    static void write(Path file, String content) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        Files.deleteIfExists(unfinished);
        Files.createFile(
                unfinished,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(unfinished, content + "\n", StandardCharsets.ISO_8859_1);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
