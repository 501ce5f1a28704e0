package dev.ovation.web.tomcat;

import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.http.RequestId;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemCounter;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import jakarta.servlet.ServletException;

import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.ActionCode;
import org.apache.tomcat.util.buf.CharsetHolder;
import org.apache.tomcat.util.res.StringManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Writes a problem as the body of every answer of 400 or more that has none, the container's. Sees
 * every request, hot ones too: so it names them in the log, and counts their problems.
 */
final class ProblemValve extends ErrorReportValve {

    /** Message of Tomcat, in the language of this machine, for a header beyond its buffer. */
    private static final String HEADER_TOO_LARGE =
            StringManager.getManager("org.apache.coyote.http11")
                    .getString("iib.requestheadertoolarge.error");

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final @Nullable ProblemCounter tally;

    /** Counts nothing without a tally. */
    ProblemValve(@Nullable ProblemCounter tally) {
        this.tally = tally;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        request.setAttribute(HttpAnswer.CONTAINER, new TomcatAnswer(response));
        MDC.put(RequestId.NAME, RequestId.of(request));
        try {
            super.invoke(request, response);
        } finally {
            if (tally != null) {
                tally.count(request);
            }
            MDC.remove(RequestId.NAME);
        }
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable throwable) {
        if (response.getStatus() < 400 || response.getContentWritten() > 0 || !canWrite(response)) {
            return;
        }
        response.resetBuffer(true);
        ProblemException problem = problem(code(request, response, throwable));
        try {
            problem.answer(request).writeTo(request, response);
            response.finishResponse();
        } catch (IOException e) {
            container.getLogger().debug("Client closed the connection before the answer", e);
        }
    }

    private static ProblemCode code(
            Request request, Response response, @Nullable Throwable throwable) {
        if (throwable != null && HEADER_TOO_LARGE.equals(throwable.getMessage())) {
            boolean inTarget = request.getCoyoteRequest().requestURI().isNull();
            return inTarget
                    ? ProblemCode.URI_TOO_LONG
                    : ProblemCode.REQUEST_HEADER_FIELDS_TOO_LARGE;
        }
        ProblemCode code = ProblemCode.ofStatus(response.getStatus());
        return code == ProblemCode.MALFORMED_REQUEST && isStopping(request)
                ? ProblemCode.UNAVAILABLE
                : code;
    }

    /** Then Tomcat reads no header any more, and calls a request bad because it has no host. */
    private static boolean isStopping(Request request) {
        return request.getConnector().getProtocolHandler() instanceof AbstractProtocol<?> protocol
                && protocol.isPaused();
    }

    private static ProblemException problem(ProblemCode code) {
        return switch (code) {
            case MALFORMED_REQUEST -> Problems.malformed("request", "is not well-formed HTTP");
            case UNAVAILABLE -> Problems.unavailable("the service is stopping", RETRY_AFTER);
            default -> new ProblemException(code, code.title());
        };
    }

    private static boolean canWrite(Response response) {
        var allowed = new AtomicBoolean();
        response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, allowed);
        return allowed.get();
    }

    private record TomcatAnswer(Response response) implements HttpAnswer.Container {

        @Override
        public void setContentType(String type) {
            if (!response.isAppCommitted()) {
                response.getCoyoteResponse().setCharsetHolder(CharsetHolder.EMPTY);
                response.getCoyoteResponse().setContentTypeNoCharset(type);
            }
        }

        @Override
        public void keepingConnection(HttpAnswer.BodyWriter answer) throws IOException {
            if (response.getCoyoteResponse().getRequest().getNote(PacedProcessor.NOTE)
                    instanceof PacedProcessor processor) {
                processor.keepingConnection(answer);
            } else {
                answer.write();
            }
        }

        @Override
        public void breakOff() {
            response.getCoyoteResponse().action(ActionCode.CLOSE_NOW, null);
        }
    }
}
