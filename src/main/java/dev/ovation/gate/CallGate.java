package dev.ovation.gate;

import dev.ovation.access.Principal;
import dev.ovation.gate.cors.Cors;
import dev.ovation.web.guard.IncomingCall;
import dev.ovation.web.problem.ProblemException;

/** The gate of protocols other than HTTP: callers are determined as those of HTTP requests are. */
public final class CallGate {

    private final Authentication entrance;
    private final Cors cors;

    CallGate(Authentication entrance, Cors cors) {
        this.entrance = entrance;
        this.cors = cors;
    }

    /** Returns the callers that the service accepts. */
    public Exposure exposure() {
        return entrance.exposure();
    }

    /**
     * Returns the caller of a call; a call without a credential is one of an anonymous caller.
     *
     * @throws ProblemException 400 when it has several credentials, 401 when the one is not
     *     accepted, 429 when its address has tried too many, 503 when it cannot be judged now
     */
    public Principal caller(IncomingCall call) {
        return entrance.caller(call, cors);
    }
}
