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
     */
    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int read = super.read(bytes, from, length);
        if (read < 0 && !((Source) in).ended) {
            throw new ZipException("something else follows");
        }
        return read;
    }

    private static final class Source extends FilterInputStream {

        private boolean ended;

        Source(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            ended |= next < 0;
            return next;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int read = super.read(bytes, from, length);
            ended |= read < 0;
            return read;
        }
    }
}
