package dev.ovation.gate;

import dev.ovation.access.Scope;
import dev.ovation.credential.AccessSettings;
import dev.ovation.web.guard.RateLimiter;
import dev.ovation.web.guard.ScopeCheck;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.core.Ordered;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Demands the scope of each endpoint of the actuator where it is invoked: on whichever port and
 * path it is served. Liveness and readiness are public.
 */
final class EndpointGuard implements OperationInvokerAdvisor, Ordered {

    private static final String HEALTH = "health";
    private static final Set<String> PROBES = Set.of("liveness", "readiness", "livez", "readyz");

    private final Map<String, Scope> scopes;
    private final RateLimiter throttle;

    EndpointGuard(AccessSettings settings, RateLimiter throttle) {
        this.scopes = settings.endpoints();
        this.throttle = throttle;
    }

    /** Around all other advisors. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    /**
     * Called once for each operation of an endpoint that is exposed.
     *
     * @throws UnguardedException when the endpoint demands no scope
     */
    @Override
    public OperationInvoker apply(
            EndpointId id,
            OperationType type,
            OperationParameters parameters,
            OperationInvoker operation) {
        Scope scope = scopes.get(id.toLowerCaseString());
        if (scope == null) {
            throw new UnguardedException(List.of("endpoint " + id));
        }
        boolean health = id.toLowerCaseString().equals(HEALTH);
        return context -> {
            boolean probe = health && isProbe(context);
            Scope demanded = probe ? Scope.PUBLIC : scope;
            ServletRequestAttributes now = exchange();
            throttle.charge(now.getRequest(), Objects.requireNonNull(now.getResponse()), demanded);
            ScopeCheck.grant(now.getRequest(), demanded);
            return operation.invoke(context);
        };
    }

    /** Only the probe itself is public, not the components below it. */
    private static boolean isProbe(InvocationContext context) {
        return context.getArguments().get("path") instanceof String[] path
                && path.length == 1
                && PROBES.contains(path[0]);
    }

    private static ServletRequestAttributes exchange() {
        if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes now) {
            return now;
        }
        throw new IllegalStateException("endpoints are served over HTTP only");
    }
}
