package dev.ovation.gate;

import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.actuate.endpoint.web.AbstractWebMvcEndpointHandlerMapping;
import org.springframework.web.method.HandlerMethod;

/** Scopes of the handlers that Spring maps requests to. */
final class HandlerScopes {

    private static final String OPERATION =
            AbstractWebMvcEndpointHandlerMapping.class.getName() + "$OperationHandler";
    private static final String LINKS = "WebMvcLinksHandler";

    private HandlerScopes() {}

    /** Whether it calls an endpoint of the actuator, which {@link EndpointGuard} stands before. */
    static boolean isEndpoint(Object handler) {
        return handler instanceof HandlerMethod method
                && method.getBeanType().getName().equals(OPERATION);
    }

    /** The scope that it demands, null when it names none. */
    static @Nullable Scope scope(Object handler) {
        if (!(handler instanceof HandlerMethod method)) {
            return null;
        }
        RequiresScope needs = method.getMethodAnnotation(RequiresScope.class);
        if (needs != null) {
            return needs.value();
        }
        return method.getBeanType().getSimpleName().equals(LINKS) ? Scope.OPERATE : null;
    }
}
