package dev.ovation.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Removes from answers to {@code OPTIONS} the empty {@code Accept-Patch} that Spring adds. */
final class AllowFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private static final List<HttpMethod> ORDER =
            List.of(
                    HttpMethod.GET,
                    HttpMethod.HEAD,
                    HttpMethod.POST,
                    HttpMethod.PUT,
                    HttpMethod.DELETE,
                    HttpMethod.OPTIONS);

    /** Returns the value of {@code Allow} for a path whose handlers have these methods. */
    static String value(Set<HttpMethod> methods) {
        return ORDER.stream()
                .filter(
                        each ->
                                methods.contains(each)
                                        || each.equals(HttpMethod.OPTIONS)
                                        || (each.equals(HttpMethod.HEAD)
                                                && methods.contains(HttpMethod.GET)))
                .map(HttpMethod::name)
                .collect(Collectors.joining(", "));
    }

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain others)
            throws IOException, ServletException {
        if (HttpMethod.OPTIONS.matches(request.getMethod())) {
            others.doFilter(request, new WithoutPatch(response));
        } else {
            others.doFilter(request, response);
        }
    }

    private static final class WithoutPatch extends HttpServletResponseWrapper {

        WithoutPatch(HttpServletResponse response) {
            super(response);
        }

        @Override
        public void addHeader(String name, String value) {
            if (!name.equals(HttpHeaders.ACCEPT_PATCH)) {
                super.addHeader(name, value);
            }
        }
    }
}
