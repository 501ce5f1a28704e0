package dev.ovation.gate;

import java.util.List;

/** A handler or an endpoint would be served that demands no scope. */
final class UnguardedException extends RuntimeException {

    private final List<String> names;

    UnguardedException(List<String> names) {
        super("no scope is demanded by " + String.join(", ", names), null, false, false);
        this.names = List.copyOf(names);
    }

    List<String> names() {
        return names;
    }
}
