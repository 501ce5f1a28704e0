package dev.ovation.web;

import dev.ovation.web.http.RequestId;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import java.io.IOException;

/**
 * Puts the id of the request on each answer of 400 or more, also on one that is no problem, as the
 * 503 of an unhealthy service. Direct routes skip this filter: their answers of 400 or more are
 * problems.
 */
final class RequestIdFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain others)
            throws IOException, ServletException {
        others.doFilter(request, new Marked(request, response));
    }

    private static final class Marked extends HttpServletResponseWrapper {

        private final HttpServletRequest request;

        Marked(HttpServletRequest request, HttpServletResponse response) {
            super(response);
            this.request = request;
        }

        @Override
        public void setStatus(int status) {
            if (status >= 400) {
                setHeader(RequestId.HEADER, RequestId.of(request));
            }
            super.setStatus(status);
        }
    }
}
