package dev.ovation.web.tomcat;

import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.http.parser.HttpParser;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * HTTP/1.1 and HTTP/2 with a query that may hold what should have been percent-encoded: older
 * clients send ids as they are, emoji included. Requests of HTTP/1.1 and frames of HTTP/2 have to
 * arrive in time: one thread checks each connection twice a second, a group of connections at a
 * time. Public with a public constructor because Tomcat creates it by name.
 */
public final class LenientProtocol extends Http11NioProtocol {

    private static final Logger LOG = LoggerFactory.getLogger(LenientProtocol.class);

    /** Time between two checks of one connection; within it all groups are checked in turn. */
    private static final long LOOK_MILLIS = 500;

    private static final int GROUPS = 5;

    private final HttpParser parser = new QueryParser();

    /** Those of all processors, and of all connections of HTTP/2. */
    private final Deadline.Watch deadlines = new Deadline.Watch(GROUPS);

    private final EmptyLines emptyLines = new EmptyLines();

    private volatile Pace pace = Pace.DEFAULT;
    private @Nullable ScheduledFuture<?> watch;

    public LenientProtocol() {
        this(new PacedEndpoint());
    }

    private LenientProtocol(PacedEndpoint endpoint) {
        super(endpoint);
        endpoint.channels =
                buffers ->
                        new PacedChannel(buffers, pace, deadlines::newDeadline, System::nanoTime);
    }

    /** Sets how fast requests have to arrive; before the start. */
    void setPace(Pace pace) {
        this.pace = pace;
    }

    @Override
    protected Processor createProcessor() {
        return new PacedProcessor(this, getAdapter(), pace, deadlines.newDeadline(), emptyLines);
    }

    @Override
    public void start() throws Exception {
        super.start();
        long pause = LOOK_MILLIS / GROUPS;
        watch =
                getUtilityExecutor()
                        .scheduleWithFixedDelay(this::look, pause, pause, TimeUnit.MILLISECONDS);
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
            deadlines.lookAtNext(System.nanoTime());
        } catch (RuntimeException e) {
            LOG.error("Check of request deadlines failed, will retry", e); // the next look may do
        }
    }

    /** Called between Tomcat's decision about the connection and the status line. */
    @Override
    public boolean useCompression(Request request, Response response) {
        PacedProcessor.restoreStatus(response);
        return super.useCompression(request, response);
    }

    @Override
    public HttpParser getHttpParser() {
        return parser;
    }

    @Override
    public void addUpgradeProtocol(UpgradeProtocol protocol) {
        super.addUpgradeProtocol(protocol instanceof Http2Protocol ? new KnownHttp2() : protocol);
    }

    /** Makes the channels of this protocol, except for TLS, whose bytes are not frames. */
    private static final class PacedEndpoint extends NioEndpoint {

        private Function<SocketBufferHandler, NioChannel> channels = NioChannel::new;

        @Override
        protected NioChannel createChannel(SocketBufferHandler buffers) {
            return isSSLEnabled() ? super.createChannel(buffers) : channels.apply(buffers);
        }
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
     * HTTP/2 of connections that begin with its preface. RFC 9113 withdrew the upgrade from
     * HTTP/1.1, so a request that offers it is answered over HTTP/1.1.
     */
    private static final class KnownHttp2 extends Http2Protocol {

        @Override
        public boolean accept(Request request) {
            return false;
        }
    }
}
