package dev.ovation.openapi;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Security headers of the document and its page: the page loads and sends nothing cross-origin and
 * cannot be framed.
 */
final class PageHeaders implements HandlerInterceptor {

    /** The page sets styles of single elements, and has pictures in its style sheet. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
                    + " img-src 'self' data:; font-src 'self' data:; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    @Override
    public boolean preHandle(
            HttpServletRequest request, HttpServletResponse response, Object handler) {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        // The page's files, whose handler says more, are kept as long as it says.
        response.setHeader("Cache-Control", "no-cache");
        return true;
    }
}
