package dev.ovation.transfer.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * What a gzip file of one or several members holds, to its very end. By itself {@link
 * GZIPInputStream} takes a failure or garbage between two members for the end.
 */
public final class GzipBody extends GZIPInputStream {

    private static final int BUFFER = 1 << 16;

    /** How many times as large as the file its content may be, beyond {@link #UNJUDGED} bytes. */
    static final int RATIO = 200;

    static final int UNJUDGED = 10 << 20;

    /** Members in a row that hold nothing; each is a call within the call for the one before. */
    static final int EMPTY_MEMBERS = 1000;

    private long read;
    private int depth;

    /**
     * Reads the head.
     *
     * @throws ZipException when it is none
     * @throws java.io.EOFException when it is not whole
     */
    public GzipBody(InputStream in) throws IOException {
        super(new Source(in), BUFFER);
    }

    /**
     * The same as ever, but -1 only at the end of the file.
     *
     * @throws ZipException when something else follows the last member
     * @throws TooMuchException when more than 10 MB are more than 200 times as large as what came:
     *     rows of a pattern may be compressed 40 times, a bomb 1,000 times
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
            some = super.read(bytes, from, length); // calls this again behind a member
        } finally {
            depth--;
        }
        if (depth == 0) {
            judge(some);
        }
        return some;
    }

    private void judge(int some) throws IOException {
        var source = (Source) in;
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

    private static final class Source extends FilterInputStream {

        private boolean ended;
        private long came;

        Source(InputStream in) {
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
