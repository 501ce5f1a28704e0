package dev.ovation.embedded.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;

/** Passwords of embedded servers, in files that only the user of this process can read. */
final class Password {

    private static final int BYTES = 32;

    private Password() {}

    /** Returns the password in {@code file}; writes a random one if the file is missing. */
    static String kept(Path file) throws IOException {
        if (!Files.exists(file)) {
            byte[] random = new byte[BYTES];
            new SecureRandom().nextBytes(random);
            write(file, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
        }
        return Files.readString(file).strip();
    }

    /** Writes or replaces a file with mode 0600 in one step. */
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
