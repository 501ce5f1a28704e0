package dev.ovation.transfer.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The content of a gzip file of one or several members, to its very end. {@link GZIPInputStream}
 * alone takes a failure or garbage between two members for the end.
 */
public final class GzipBody extends GZIPInputStream {

    private static final int BUFFER = 1 << 16;

    /** Greatest ratio of the content to the file, beyond {@link #UNJUDGED} bytes. */
    static final int RATIO = 200;

    static final int UNJUDGED = 10 << 20;

    /**
     * Greatest number of empty members in a row; each is a call within the call for the one before.
     */
    static final int EMPTY_MEMBERS = 1000;

    private long read;
    private int depth;

    /**
     * Reads the header.
     *
     * @throws ZipException when the header is invalid
     * @throws java.io.EOFException when the header is incomplete
     */
    public GzipBody(InputStream in) throws IOException {
        super(new GzipSource(in), BUFFER);
    }

    /**
     * Reads bytes like the superclass, but returns -1 only at the end of the file.
     *
     * @throws ZipException when other bytes follow the last member
     * @throws TooMuchException when more than 10 MB of content are more than 200 times as large as
     *     the compressed bytes: rows of a pattern may be compressed 40 times, a bomb 1,000 times
     */
    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (depth > EMPTY_MEMBERS) {
            throw new ZipException(
                    "has more than %,d members in a row that are empty".formatted(EMPTY_MEMBERS));
        }
        depth++;
        int some;
        try {
            some = super.read(bytes, from, length); // calls this method again after a member
        } finally {
            depth--;
        }
        if (depth == 0) {
            judge(some);
        }
        return some;
    }

    private void judge(int some) throws IOException {
        var source = (GzipSource) in;
        if (some < 0 && !source.ended) {
            throw new ZipException("something else follows");
        }
        read += Math.max(0, some);
        if (read > UNJUDGED && read / RATIO > source.came) {
            throw new TooMuchException(
                    "is compressed more than %d to 1, after %d MB"
                            .formatted(RATIO, UNJUDGED >> 20));
        }
    }

    private static final class GzipSource extends FilterInputStream {

        private boolean ended;
        private long came;

        GzipSource(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            ended |= next < 0;
            came += next < 0 ? 0 : 1;
            return next;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int some = super.read(bytes, from, length);
            ended |= some < 0;
            came += Math.max(0, some);
            return some;
        }
    }
}
