package dev.ovation.transfer.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** An uncompressed file with a limit of bytes. */
public final class BoundedBody extends FilterInputStream {

    private final long limit;
    private long read;

    /** Creates a body of at most {@code limit} bytes. */
    public BoundedBody(InputStream in, long limit) {
        super(in);
        this.limit = limit;
    }

    /**
     * Reads the next byte.
     *
     * @throws TooMuchException when the byte exceeds the limit
     */
    @Override
    public int read() throws IOException {
        int next = super.read();
        count(next < 0 ? 0 : 1);
        return next;
    }

    /**
     * Reads the next bytes.
     *
     * @throws TooMuchException when the bytes exceed the limit
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
