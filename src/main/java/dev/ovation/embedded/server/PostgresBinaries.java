package dev.ovation.embedded.server;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.springframework.util.FileSystemUtils;
import org.tukaani.xz.XZInputStream;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32;

/** Unpacks the Postgres of this machine from the class path. */
final class PostgresBinaries {

    private static final int OWNER_MAY_EXECUTE = 0100;

    private PostgresBinaries() {}

    /**
     * Returns the folder that holds {@code bin/postgres}, unpacked below {@code executables} unless
     * an earlier start has unpacked it.
     *
     * @throws IOException when the class path has no Postgres for this machine, or the disk fails
     */
    static Path unpack(Path executables) throws IOException {
        byte[] archive = archive();
        Path home = executables.resolve("postgres-" + checksum(archive));
        if (!Files.isDirectory(home)) {
            // Moved into place when complete, so that a start that is killed here leaves no partial
            // folder.
            Path unfinished = executables.resolve("postgres.unfinished");
            FileSystemUtils.deleteRecursively(unfinished);
            extract(archive, unfinished);
            Files.move(unfinished, home, StandardCopyOption.ATOMIC_MOVE);
        }
        return home;
    }

    private static byte[] archive() throws IOException {
        String os = System.getProperty("os.name").startsWith("Mac") ? "Darwin" : "Linux";
        String architecture = System.getProperty("os.arch").replace("amd64", "x86_64");
        try (InputStream archive =
                DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(os, architecture)) {
            return archive.readAllBytes();
        } catch (IllegalStateException e) {
            throw new IOException(e.getMessage() + " for " + os + " on " + architecture, e);
        }
    }

    private static String checksum(byte[] archive) {
        var checksum = new CRC32();
        checksum.update(archive);
        return Long.toHexString(checksum.getValue());
    }

    private static void extract(byte[] archive, Path target) throws IOException {
        try (var tar =
                new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry();
                    entry != null;
                    entry = tar.getNextEntry()) {
                write(entry, tar, target.resolve(entry.getName()));
            }
        }
    }

    private static void write(TarArchiveEntry entry, InputStream content, Path path)
            throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        Files.createDirectories(path.resolveSibling("."));
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(content, path);
        if ((entry.getMode() & OWNER_MAY_EXECUTE) != 0 && !path.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + path + " executable");
        }
    }
}
