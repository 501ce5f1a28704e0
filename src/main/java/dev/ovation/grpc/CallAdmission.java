package dev.ovation.grpc;

import dev.ovation.access.Principal;
import dev.ovation.access.Scope;
import dev.ovation.gate.CallGate;
import dev.ovation.limit.Caller;
import dev.ovation.limit.RateLimits;
import dev.ovation.web.problem.ProblemException;

/** Admits calls by the rules of HTTP requests: the credential, the limit, and then the scope. */
final class CallAdmission {

    private final CallGate gate;
    private final RateLimits limits;

    CallAdmission(CallGate gate, RateLimits limits) {
        this.gate = gate;
        this.limits = limits;
    }

    /**
     * Admits a call.
     *
     * @throws ProblemException 400, 401, 403, 429 or 503 when it is not admitted
     */
    Caller admit(GrpcCall call, Scope scope) {
        return charged(gate.caller(call), call, scope);
    }

    /**
     * Admits a call before its request has arrived, as far as no credential has to be judged.
     *
     * @throws ProblemException 401 or 429 when it has none and callers without one lack the scope
     */
    void admitBare(GrpcCall call, Scope scope) {
        if (!call.hasCredential()) {
            Principal who = gate.caller(call);
            if (!who.may(scope)) {
                var _ = charged(who, call, scope);
            }
        }
    }

    /**
     * Returns the caller of a call that was admitted, judged again.
     *
     * @throws ProblemException 401, 429 or 503 when its credential is not accepted any more
     */
    Principal again(GrpcCall call) {
        return gate.caller(call);
    }

    /**
     * Charges one unit to a caller, who must hold the scope.
     *
     * @throws ProblemException 401, 403 or 429 when the caller is at a limit or lacks the scope
     */
    Caller charged(Principal who, GrpcCall call, Scope scope) {
        var caller = new Caller(who, limits.charge(who, call.address(), scope, (_, _) -> {}));
        caller.demand(scope);
        return caller;
    }
}
