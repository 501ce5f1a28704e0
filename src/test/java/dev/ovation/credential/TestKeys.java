package dev.ovation.credential;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;

/** A file of keys, and the keys themselves, which only a test stores. */
public final class TestKeys {

    private final Path file;
    private final Map<String, String> entries = new LinkedHashMap<>();

    /** A file without a key. */
    public TestKeys(Path file) {
        this.file = file;
        write();
    }

    public Path file() {
        return file;
    }

    /**
     * Adds a key to the file.
     *
     * @param members further lines of its entry, such as {@code scopes: [erase]}
     * @return the key
     */
    public String add(String id, String... members) {
        String key = ApiKey.create(id);
        store(key, id, members);
        return key;
    }

    /** Adds a key that {@link ApiKey#create} made to the file. */
    public void store(String key, String id, String... members) {
        String entry = "- id: %s%n  sha256: [%s]%n".formatted(id, ApiKey.hash(key));
        for (String member : members) {
            entry += "  " + member + System.lineSeparator();
        }
        entries.put(id, entry);
        write();
    }

    /** Removes a key from the file. */
    public void remove(String id) {
        entries.remove(id);
        write();
    }

    /** Makes the file invalid. */
    public void spoil() {
        write("- id: [");
    }

    private void write() {
        write(entries.isEmpty() ? "[]" : String.join("", entries.values()));
    }

    /** Replaces the file in one step, so that no service reads a part of it. */
    private void write(String text) {
        try {
            Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
