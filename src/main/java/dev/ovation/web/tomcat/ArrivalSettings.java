package dev.ovation.web.tomcat;

import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardHost;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.stereotype.Component;

/** Time and size bounds of arriving requests, for the main and the management port. */
@Component
final class ArrivalSettings {

    /** Bytes of a body that earn one second. */
    private static final long MIN_RATE = 1024;

    private final Pace pace;
    private final int streams;

    ArrivalSettings(HttpSettings.HttpConstants settings) {
        this.pace = new Pace(settings.maxHeaderTime(), settings.bodyGrace(), MIN_RATE);
        this.streams = settings.streams();
    }

    /** Bounds the time and the streams of the requests of a port. */
    void bound(TomcatServletWebServerFactory factory) {
        factory.setProtocol(LenientProtocol.class.getName());
        factory.addConnectorCustomizers(this::bound);
        // Bodies are read as JSON even when they say that they are forms.
        factory.addConnectorCustomizers(connector -> connector.setParseBodyMethods(""));
        // A client that asks by Expect whether to send a body that is too large gets a 413 at once.
        factory.addConnectorCustomizers(
                connector -> connector.setProperty("continueResponseTiming", "onRead"));
        factory.addContextCustomizers(this::paceBodies);
    }

    private void bound(Connector connector) {
        if (connector.getProtocolHandler() instanceof LenientProtocol protocol) {
            protocol.setPace(pace);
        }
        for (UpgradeProtocol upgrade : connector.findUpgradeProtocols()) {
            if (upgrade instanceof Http2Protocol http2) {
                http2.setMaxConcurrentStreams(streams);
                http2.setStreamReadTimeout(pace.grace().toMillis());
            }
        }
    }

    private void paceBodies(Context context) {
        ((StandardHost) context.getParent()).getPipeline().addValve(new PaceValve(pace));
    }
}
