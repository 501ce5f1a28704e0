package dev.ovation.credential;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The API keys of a file, which holds hashes only. The first request of each ten seconds reads the
 * file again, so no thread of its own is needed. An invalid file changes nothing, nor does a file
 * that was modified within the last second: it may be half-written, and a part of an entry could
 * grant more than the whole entry.
 */
final class ApiKeys {

    private static final Logger LOG = LoggerFactory.getLogger(ApiKeys.class);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);
    private static final Duration SETTLED = Duration.ofSeconds(1);

    private final Path file;
    private final Clock clock;
    private final ReentrantLock looking = new ReentrantLock();
    private byte @Nullable [] seen;
    private volatile Instant next = Instant.MIN;
    private volatile Snapshot ring = new Snapshot(Map.of());

    /** The keys of one reading of the file; compared by identity. */
    static final class Snapshot {

        private final Map<String, ResolvedCredential> keys;

        private Snapshot(Map<String, ResolvedCredential> keys) {
            this.keys = keys;
        }

        /** Returns the principal of the key, null if the key is unknown. */
        @Nullable ResolvedCredential find(String key) {
            return ApiKey.isWellFormed(key) ? keys.get(ApiKey.hash(key)) : null;
        }
    }

    /**
     * Reads the file.
     *
     * @throws InvalidKeysException when the file cannot be read or is invalid
     */
    ApiKeys(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
        read();
    }

    /** Returns the keys; they are at most eleven seconds old at this time. */
    Snapshot current(Instant now) {
        if (!now.isBefore(next) && looking.tryLock()) {
            try {
                if (isBeingWritten(now)) {
                    next = now.plus(SETTLED);
                } else {
                    read();
                }
            } catch (InvalidKeysException e) {
                LOG.error("Key file not reloaded, {} line {}: {}", file, e.line(), e.getMessage());
            } finally {
                looking.unlock();
            }
        }
        return ring;
    }

    /**
     * Reads the file now.
     *
     * @throws InvalidKeysException when the file cannot be read or is invalid; the keys stay
     *     unchanged
     */
    void refresh() {
        looking.lock();
        try {
            seen = null;
            read();
        } finally {
            looking.unlock();
        }
    }

    /**
     * Returns whether the file may be half-written. A time in the future is of another clock, and
     * is ignored.
     */
    private boolean isBeingWritten(Instant now) {
        try {
            Instant modified = Files.getLastModifiedTime(file).toInstant();
            return !modified.isAfter(now) && modified.plus(SETTLED).isAfter(now);
        } catch (IOException _) {
            return false; // the following read fails as well, and reports the cause
        }
    }

    /** Parses each content once, so that an invalid file is logged once. */
    private void read() {
        next = clock.instant().plus(LOOK_AGAIN);
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new InvalidKeysException(0, "cannot be read: " + e.getClass().getSimpleName());
        }
        if (!Arrays.equals(bytes, seen)) {
            seen = bytes;
            var read = new Snapshot(KeyFile.read(bytes));
            LOG.info("Key file loaded, {} hashes", read.keys.size());
            ring = read;
        }
    }
}
