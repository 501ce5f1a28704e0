package dev.ovation.transfer.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A file, uncompressed, of so many bytes at most. */
public final class BoundedBody extends FilterInputStream {

    private final long limit;
    private long read;

    /** {@code limit} in bytes. */
    public BoundedBody(InputStream in, long limit) {
        super(in);
        this.limit = limit;
    }

    /**
     * The next byte.
     *
     * @throws TooMuchException when it is one too many
     */
    @Override
    public int read() throws IOException {
        int next = super.read();
        count(next < 0 ? 0 : 1);
        return next;
    }

    /**
     * The next bytes.
     *
     * @throws TooMuchException when they are too many
     */
    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int some = super.read(bytes, from, length);
        count(Math.max(0, some));
        return some;
    }

    private void count(int some) throws TooMuchException {
        read += some;
        if (read > limit) {
            throw new TooMuchException("has more than %d bytes, uncompressed".formatted(limit));
        }
    }
}
