package dev.ovation.embedded;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;

/** A child that a test leaves running for the next test on the same folder. */
final class KeptChild implements AutoCloseable {

    private @Nullable Child last;

    /** Returns the child that runs, or starts one. */
    Child running(Path folder) throws IOException {
        return last != null && last.isAlive() ? last : startNext(folder);
    }

    /** Starts a child after the end of the last one. */
    Child startNext(Path folder) throws IOException {
        last = Child.start(folder);
        return last;
    }

    /** Terminates the child, if there is one. */
    @Override
    public void close() {
        if (last != null) {
            last.close();
        }
    }
}
