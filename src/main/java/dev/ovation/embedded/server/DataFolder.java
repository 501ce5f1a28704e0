package dev.ovation.embedded.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The data folder of the embedded servers; one running service at a time holds it. */
public final class DataFolder implements AutoCloseable {

    // The system drops a process' lock when any channel on that file closes, so a second holder in
    // this JVM must be refused before it opens one.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path root;
    private final FileChannel channel;

    private DataFolder(Path root, FileChannel channel) {
        this.root = root;
        this.channel = channel;
    }

    /**
     * Creates the folder if it is missing, and holds it until {@link #close} or the end of the JVM.
     *
     * @throws EmbeddedException when another service holds it, or it cannot be used
     */
    public static DataFolder take(Path directory) {
        try {
            Path root = Files.createDirectories(directory).toRealPath();
            Path lock = root.resolve("lock");
            if (!HELD.add(root)) {
                throw taken(root, ProcessHandle.current().pid() + "");
            }
            return lock(root, lock);
        } catch (IOException e) {
            String sentence = "The data folder " + directory.toAbsolutePath() + " cannot be used: ";
            throw new EmbeddedException(sentence + e, e);
        }
    }

    private static DataFolder lock(Path root, Path lock) throws IOException {
        FileChannel channel = null;
        try {
            channel =
                    FileChannel.open(
                            lock,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                throw taken(root, Files.readString(lock));
            }
            note(channel);
            return new DataFolder(root, channel);
        } catch (IOException | RuntimeException e) {
            HELD.remove(root);
            if (channel != null) {
                channel.close();
            }
            throw e;
        }
    }

    private static void note(FileChannel channel) throws IOException {
        String pid = ProcessHandle.current().pid() + "";
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)));
    }

    private static EmbeddedException taken(Path root, String pid) {
        return new EmbeddedException(
                ("Another Ovation (pid %s) runs on the data folder %s: stop it, or give this one"
                                + " a folder and a port of its own with OVATION_EMBEDDED_DIRECTORY"
                                + " and SERVER_PORT.")
                        .formatted(pid, root));
    }

    /**
     * Returns the folder of the executables. They are unpacked here, so that the path of a process
     * shows that it belongs to this folder.
     */
    Path executables() {
        return root.resolve("bin");
    }

    /** Creates and returns the folder of one server. */
    Path of(String server) throws IOException {
        return Files.createDirectories(root.resolve(server));
    }

    @Override
    public void close() throws IOException {
        channel.close();
        HELD.remove(root);
    }
}
