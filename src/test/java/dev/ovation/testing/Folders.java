package dev.ovation.testing;

import org.springframework.util.FileSystemUtils;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Copies of a server's data, from which an older state is restored. */
final class Folders {

    private Folders() {}

    /** Returns a copy of the folder of a stopped server. */
    static Path copy(Path folder) {
        try {
            Path copy = Files.createTempDirectory("ovation-copy");
            FileSystemUtils.copyRecursively(folder, copy);
            copy.toFile().deleteOnExit();
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replaces the content of a folder by a copy; null leaves the folder empty. */
    static void replace(Path folder, Path copy) {
        try {
            FileSystemUtils.deleteRecursively(folder);
            if (copy == null) {
                Files.createDirectory(folder);
            } else {
                FileSystemUtils.copyRecursively(copy, folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
