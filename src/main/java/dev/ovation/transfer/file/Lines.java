package dev.ovation.transfer.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The lines of a stream, ended by LF or CRLF, each read as a whole or byte by byte. The memory is
 * bounded for lines of any length.
 */
public final class Lines {

    /** Greatest length of a line that is read as a whole, in bytes. */
    static final int MAX = 1 << 16;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final InputStream in;
    private final byte[] buffer = new byte[MAX];
    private int at;
    private int end;
    private long number;
    private boolean inLine;

    /** Reads a stream, which the caller closes. */
    public Lines(InputStream in) {
        this.in = in;
    }

    /** Moves to the next line; returns false when there is none. */
    boolean next() throws IOException {
        while (inLine) {
            int _ = read();
        }
        if (number == 0) {
            skipByteOrderMark();
        }
        if (!fill()) {
            return false;
        }
        number++;
        inLine = true;
        return true;
    }

    /** Returns the number of this line, from 1. */
    long number() {
        return number;
    }

    /** Returns the next byte of this line, -1 at its end. */
    int read() throws IOException {
        if (!inLine || !fill() || buffer[at] == '\n') {
            at += inLine && at < end ? 1 : 0;
            inLine = false;
            return -1;
        }
        int next = buffer[at++] & 0xff;
        return next == '\r' && (!fill() || buffer[at] == '\n') ? read() : next;
    }

    /**
     * Returns the rest of this line.
     *
     * @throws BadRowException when the rest is longer than {@link #MAX} or not UTF-8
     */
    String text() throws IOException, BadRowException {
        for (int i = at; inLine && i < end; i++) {
            if (buffer[i] == '\n') {
                int from = at;
                int length = i > from && buffer[i - 1] == '\r' ? i - 1 - from : i - from;
                at = i + 1;
                inLine = false;
                return decode(buffer, from, length);
            }
        }
        var bytes = new ByteArrayOutputStream();
        for (int next = read(); next >= 0; next = read()) {
            if (bytes.size() == MAX) {
                throw new BadRowException("is longer than " + MAX + " bytes");
            }
            bytes.write(next);
        }
        return decode(bytes.toByteArray(), 0, bytes.size());
    }

    private static String decode(byte[] bytes, int from, int length) throws BadRowException {
        for (int i = from; i < from + length; i++) {
            if (bytes[i] < 0) {
                try {
                    return StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes, from, length))
                            .toString();
                } catch (CharacterCodingException e) {
                    throw new BadRowException("is not UTF-8");
                }
            }
        }
        return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
    }

    private void skipByteOrderMark() throws IOException {
        end = in.readNBytes(buffer, 0, BYTE_ORDER_MARK.length);
        if (end == BYTE_ORDER_MARK.length
                && ByteBuffer.wrap(buffer, 0, end).equals(ByteBuffer.wrap(BYTE_ORDER_MARK))) {
            at = end;
        }
    }

    /** Returns whether there is a byte at {@code at}. */
    private boolean fill() throws IOException {
        if (at == end) {
            at = 0;
            end = Math.max(0, in.read(buffer, 0, buffer.length));
        }
        return at < end;
    }
}
