package dev.ovation.testing;

import org.springframework.util.FileSystemUtils;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Copies of the data of a server, to bring it back as it was. */
final class Folders {

    private Folders() {}

    /** Returns a copy of a folder of a server that does not run. */
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

    /** Puts a copy in the place of what is in a folder; null leaves the folder empty. */
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
