package dev.ovation.web.tomcat;

import jakarta.servlet.ServletException;

import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

import java.io.IOException;

/**
 * Starts the pace of each request body and ends it when the handler stops reading. A stream of
 * HTTP/2 gets its paced body here; that of HTTP/1.1 belongs to its {@link PacedProcessor}.
 */
final class PaceValve extends ValveBase {

    private final Pace pace;

    PaceValve(Pace pace) {
        super(true);
        this.pace = pace;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        var raw = request.getCoyoteRequest();
        if (!(raw.getInputBuffer() instanceof PacedBody body)) {
            var paced = new PacedBody(raw.getInputBuffer(), pace, null, System::nanoTime);
            raw.setInputBuffer(paced);
            getNext().invoke(request, response);
            return;
        }
        body.begin();
        try {
            getNext().invoke(request, response);
        } finally {
            if (!raw.isFinished()) {
                body.leave();
            }
        }
    }
}
