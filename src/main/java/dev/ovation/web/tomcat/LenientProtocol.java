package dev.ovation.web.tomcat;

import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.http.parser.HttpParser;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * HTTP/1.1 and HTTP/2 with a query that may hold what should have been percent-encoded: older
 * clients send ids as they are, emoji included. Requests of HTTP/1.1 have to arrive in time: one
 * thread looks at all connections, twice a second. Public with a public constructor because Tomcat
 * creates it by name.
 */
public final class LenientProtocol extends Http11NioProtocol {

    private static final Logger LOG = LoggerFactory.getLogger(LenientProtocol.class);
    private static final long LOOK_MILLIS = 500;

    private final HttpParser parser = new QueryParser();

    /** Those of all processors; Tomcat keeps some of them for later connections. */
    private final Set<Deadline> deadlines = Collections.newSetFromMap(new WeakHashMap<>());

    private final EmptyLines emptyLines = new EmptyLines();

    private volatile Pace pace = Pace.DEFAULT;
    private @Nullable ScheduledFuture<?> watch;

    /** Sets how fast requests have to arrive; before the start. */
    void setPace(Pace pace) {
        this.pace = pace;
    }

    @Override
    protected Processor createProcessor() {
        var deadline = new Deadline();
        synchronized (deadlines) {
            deadlines.add(deadline);
        }
        return new PacedProcessor(this, getAdapter(), pace, deadline, emptyLines);
    }

    @Override
    public void start() throws Exception {
        super.start();
        watch =
                getUtilityExecutor()
                        .scheduleWithFixedDelay(
                                this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void stop() throws Exception {
        if (watch != null) {
            watch.cancel(false);
        }
        super.stop();
    }

    private void look() {
        try {
            long now = System.nanoTime();
            synchronized (deadlines) {
                deadlines.forEach(deadline -> deadline.look(now));
            }
        } catch (RuntimeException e) {
            LOG.error("Check of request deadlines failed, will retry", e); // the next look may do
        }
    }

    @Override
    public HttpParser getHttpParser() {
        return parser;
    }

    @Override
    public void addUpgradeProtocol(UpgradeProtocol protocol) {
        super.addUpgradeProtocol(protocol instanceof Http2Protocol ? new Upgrade() : protocol);
    }

    /** Paths stay as strict as they were: Tomcat checks them again, by other rules. */
    private static final class QueryParser extends HttpParser {

        QueryParser() {
            super(null, "\"<>[\\]^`{|}");
        }

        @Override
        public boolean isQueryRelaxed(int c) {
            return isHighByte(c) || super.isQueryRelaxed(c);
        }

        @Override
        public boolean isNotRequestTargetRelaxed(int c) {
            return !isHighByte(c) && super.isNotRequestTargetRelaxed(c);
        }

        /** Bytes of UTF-8 beyond ASCII: negative from HTTP/1.1, a char of Latin-1 from HTTP/2. */
        private static boolean isHighByte(int c) {
            return c < 0 || (c > 0x7f && c <= 0xff);
        }
    }

    /**
     * Stays with HTTP/1.1 when a request that offers the upgrade has a body: Tomcat would have to
     * buffer it whole, and refuses it beyond 4 KB. Such a client asks again with its next request.
     *
     * <p>The client's settings are those of the frame that it sends next. Tomcat would take them
     * from the header first, without widening the window of this first stream, and then find that
     * the frame changes nothing: an answer beyond 64 KB would stand still until it is broken off. A
     * client that names a smaller window in the header alone is sent more than that at first.
     */
    private static final class Upgrade extends Http2Protocol {

        private static final String SETTINGS = "HTTP2-Settings";

        @Override
        public boolean accept(Request request) {
            boolean accepted =
                    request.getContentLengthLong() <= 0
                            && request.getHeader("Transfer-Encoding") == null
                            && super.accept(request);
            if (accepted) {
                request.getMimeHeaders().setValue(SETTINGS).setString("");
            }
            return accepted;
        }
    }
}
