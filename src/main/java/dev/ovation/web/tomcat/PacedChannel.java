package dev.ovation.web.tomcat;

import dev.ovation.web.tomcat.Deadline.Wait;

import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A connection whose client has to keep the {@link Pace} of frames once it speaks HTTP/2. Tomcat
 * bounds each frame by the keep-alive time-out. Here the whole time has a bound that is waited for
 * a frame, or for a header with its continuations; the content of other frames earns time, as a
 * body does.
 */
final class PacedChannel extends NioChannel {

    private final Pace pace;
    private final Supplier<Deadline> deadlines;
    private final LongSupplier clock;
    private volatile @Nullable Input http2;

    /**
     * A channel for one connection at a time.
     *
     * @param deadlines creates one for each connection of HTTP/2
     * @param clock in nanoseconds
     */
    PacedChannel(
            SocketBufferHandler buffers,
            Pace pace,
            Supplier<Deadline> deadlines,
            LongSupplier clock) {
        super(buffers);
        this.pace = pace;
        this.deadlines = deadlines;
        this.clock = clock;
    }

    /** A thread may still read from the connection before: it follows its own input. */
    @Override
    public void reset(SocketChannel channel, NioSocketWrapper socketWrapper) throws IOException {
        http2 = null;
        super.reset(channel, socketWrapper);
    }

    /**
     * The connection speaks HTTP/2 from now on.
     *
     * @param read what was read already, from the preface on; null for nothing
     */
    void beginHttp2(@Nullable ByteBuffer read) {
        Deadline deadline = deadlines.get();
        deadline.use(getIOChannel());
        var begun = new Input(pace, deadline, clock);
        if (read != null) {
            begun.frames.take(read.duplicate());
        }
        http2 = begun;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        Input input = http2;
        if (input == null) {
            return super.read(to);
        }
        int begin = to.position();
        int read = super.read(to);
        input.follow(read, to.duplicate().limit(to.position()).position(begin));
        return read;
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) throws IOException {
        Input input = http2;
        if (input == null) {
            return super.read(to, offset, length);
        }
        var parts = new ByteBuffer[length];
        for (int i = 0; i < length; i++) {
            parts[i] = to[offset + i].duplicate();
        }
        long read = super.read(to, offset, length);
        for (int i = 0; i < length; i++) {
            parts[i].limit(to[offset + i].position());
        }
        input.follow(read, parts);
        return read;
    }

    /** Input of one connection of HTTP/2, and the wait for it. */
    private static final class Input {

        private final Http2Frames frames = new Http2Frames();
        private final Pace pace;
        private final Deadline deadline;
        private final LongSupplier clock;
        private @Nullable Wait wait;
        private long waitBegin;
        private long credit;

        private Input(Pace pace, Deadline deadline, LongSupplier clock) {
            this.pace = pace;
            this.deadline = deadline;
            this.clock = clock;
            this.credit = pace.head().toNanos();
        }

        /**
         * Follows a read. Time counts from a read that finds no byte until the next read; two looks
         * of the watch forgive a pause of this process.
         *
         * @param read result of the read
         * @param bytes that were read
         */
        private void follow(long read, ByteBuffer... bytes) {
            long parts = frames.parts();
            for (ByteBuffer each : bytes) {
                frames.take(each);
            }
            if (read == 0) {
                if (wait == null && frames.isWithinPart()) {
                    waitBegin = clock.getAsLong();
                    wait = deadline.begin(waitBegin + credit);
                }
                return;
            }
            if (frames.parts() != parts || read < 0) {
                deadline.clear();
                wait = null;
                credit = pace.head().toNanos();
            } else if (wait != null) {
                long waited = clock.getAsLong() - waitBegin;
                if (waited < credit) { // else the deadline remains until the part has ended
                    var _ = deadline.end(wait);
                    wait = null;
                    credit -= waited;
                }
            }
            if (frames.isWithinContent()) {
                credit = Math.min(pace.head().toNanos(), credit + pace.nanosFor((int) read));
            }
        }
    }

    /**
     * Follows the bytes that a client sends on an HTTP/2 connection, by RFC 9113, section 4: the
     * preface, and then frames, each with its length before it. A header and its continuations are
     * one part of the connection, as are the preface and each other frame.
     */
    static final class Http2Frames {

        private static final int PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length();
        private static final int FRAME_HEADER = 9;
        private static final int HEADERS = 1;
        private static final int CONTINUATION = 9;
        private static final int END_HEADERS = 4;

        private int preface = PREFACE;

        /** How much of the frame's own header was seen. */
        private int seen;

        private int type;
        private int flags;

        /** Bytes of the frame that are missing after its own header. */
        private int missing;

        private boolean inHeader;
        private long parts;

        /** Takes in all bytes of the buffer. */
        void take(ByteBuffer bytes) {
            while (bytes.hasRemaining()) {
                if (preface > 0) {
                    preface -= skip(preface, bytes);
                } else if (seen < FRAME_HEADER) {
                    readHeader(bytes.get() & 0xff);
                } else {
                    missing -= skip(missing, bytes);
                }
                if (seen == FRAME_HEADER && missing == 0) {
                    endFrame();
                }
            }
        }

        private static int skip(int most, ByteBuffer bytes) {
            int skipped = Math.min(most, bytes.remaining());
            bytes.position(bytes.position() + skipped);
            return skipped;
        }

        private void readHeader(int next) {
            switch (seen++) {
                case 0, 1, 2 -> missing = missing << 8 | next;
                case 3 -> type = next;
                case 4 -> flags = next;
                default -> {} // the stream
            }
        }

        private void endFrame() {
            seen = 0;
            if (type == HEADERS || type == CONTINUATION) {
                inHeader = (flags & END_HEADERS) == 0;
            }
            if (!inHeader) {
                parts++;
            }
        }

        /** How many parts have ended. */
        long parts() {
            return parts;
        }

        /** Whether a part has begun and not ended; the preface begins with the connection. */
        boolean isWithinPart() {
            return preface > 0 || seen > 0 || inHeader;
        }

        /**
         * Whether the bytes that come next are the content of a frame of another type than HEADERS.
         */
        boolean isWithinContent() {
            return seen == FRAME_HEADER && type != HEADERS && !inHeader;
        }
    }
}
