package dev.ovation.hot.state;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Globally unique names for leases and for operations. */
public final class UniqueNames {

    /**
     * Prefix of the name of an operation whose entity was never reacted to, as when it is locked
     * before. No other name begins so.
     */
    public static final String UNREACTED = "0-";

    private static final String INSTANCE = UUID.randomUUID().toString().replace("-", "");
    private static final AtomicLong NUMBER = new AtomicLong();

    private UniqueNames() {}

    /** Returns the next name: 32 hexadecimal digits of this process, a dash and a number. */
    public static String next() {
        return INSTANCE + '-' + Long.toString(NUMBER.incrementAndGet(), Character.MAX_RADIX);
    }
}
