package dev.ovation.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * Makes a streaming standby of a running Postgres on this machine by a copy of its files, because
 * the embedded binaries lack {@code pg_basebackup}.
 */
public final class BaseBackup {

    /** Folders whose content the standby makes itself, or reads from the primary. */
    private static final Set<String> EMPTY =
            Set.of(
                    "pg_wal",
                    "pg_replslot",
                    "pg_dynshmem",
                    "pg_notify",
                    "pg_serial",
                    "pg_snapshots",
                    "pg_stat_tmp",
                    "pg_subtrans");

    private static final Set<String> LEFT_OUT =
            Set.of("postmaster.pid", "postmaster.opts", "epg-lock");

    private BaseBackup() {}

    /**
     * Copies the data folder of a primary; a Postgres that starts on the copy is its standby.
     *
     * @param primary a session of a superuser
     * @param from data folder of the primary
     * @param to an absent or empty folder
     * @param conninfo address of the primary, as {@code host=… port=… user=…}
     */
    public static void standby(Connection primary, Path from, Path to, String conninfo) {
        try (var statement = primary.createStatement()) {
            statement.execute("select pg_backup_start('standby', true)");
            copy(from, to);
            try (var label =
                    statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
                label.next();
                Files.writeString(to.resolve("backup_label"), label.getString(1));
            }
            Files.createFile(to.resolve("standby.signal"));
            Files.writeString(
                    to.resolve("postgresql.auto.conf"),
                    "primary_conninfo = '" + conninfo + "'\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(
                from,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) throws IOException {
                        Files.createDirectories(to.resolve(from.relativize(folder)));
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Path name = from.relativize(file);
                        if (!EMPTY.contains(name.getName(0).toString())
                                && !LEFT_OUT.contains(name.getFileName().toString())) {
                            copyUnlessGone(file, to.resolve(name));
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure)
                            throws IOException {
                        if (failure instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE; // as a dropped table's
                        }
                        throw failure;
                    }
                });
    }

    private static void copyUnlessGone(Path file, Path copy) throws IOException {
        try {
            Files.copy(file, copy);
        } catch (NoSuchFileException _) {
            // Dropped meanwhile: its WAL says so.
        }
    }
}
