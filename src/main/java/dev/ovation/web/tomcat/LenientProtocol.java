package dev.ovation.web.tomcat;

import org.apache.coyote.Request;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.http.parser.HttpParser;

/**
 * HTTP/1.1 and HTTP/2 with a query that may hold what should have been percent-encoded: older
 * clients send ids as they are, emoji included. Public with a public constructor because Tomcat
 * creates it by name.
 */
public final class LenientProtocol extends Http11NioProtocol {

    private final HttpParser parser = new QueryParser();

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
