package dev.ovation.gate;

import dev.ovation.access.Principal;
import dev.ovation.access.Scope;
import dev.ovation.gate.cors.Cors;
import dev.ovation.web.guard.IncomingCall;
import dev.ovation.web.problem.ProblemException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import java.io.IOException;

/**
 * First filter of each port: determines the caller of each request and refuses invalid credentials.
 * Scopes are checked later, when the handler is known. The filter also sets CORS headers and writes
 * the audit trail.
 */
final class AuthenticationFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private final transient Authentication entrance;
    private final transient Cors cors;

    AuthenticationFilter(Authentication entrance, Cors cors) {
        this.entrance = entrance;
        this.cors = cors;
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain others)
            throws IOException, ServletException {
        // First, so that a page can read why it is refused; a preflight bears no credential.
        if (cors.answers(request, response)) {
            return;
        }
        Principal caller;
        try {
            caller = entrance.caller(IncomingCall.of(request), cors);
        } catch (ProblemException e) {
            e.answer(request).writeTo(request, response);
            return;
        }
        caller.enter(request);
        boolean failed = true;
        try {
            others.doFilter(new CallerAwareRequest(request, caller), response);
            failed = false;
        } finally {
            AuditTrail.end(
                    request,
                    response,
                    failed ? HttpServletResponse.SC_INTERNAL_SERVER_ERROR : response.getStatus());
        }
    }

    /** Request with the caller as its principal, by which Spring shows details of health. */
    static final class CallerAwareRequest extends HttpServletRequestWrapper {

        private final Principal caller;
        private boolean bodyIgnored;

        CallerAwareRequest(HttpServletRequest request, Principal caller) {
            super(request);
            this.caller = caller;
        }

        @Override
        public java.security.@Nullable Principal getUserPrincipal() {
            return caller.isAnonymous() ? null : caller;
        }

        /** From now on the request has no body for its handler. */
        void ignoreBody() {
            bodyIgnored = true;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            return bodyIgnored ? new NoBody() : super.getInputStream();
        }

        /** Roles are labels of scopes. */
        @Override
        public boolean isUserInRole(String role) {
            Scope scope = Scope.granted(role);
            return scope != null && caller.may(scope);
        }
    }

    private static final class NoBody extends ServletInputStream {

        @Override
        public int read() {
            return -1;
        }

        @Override
        public boolean isFinished() {
            return true;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("no request to an endpoint is asynchronous");
        }
    }
}
