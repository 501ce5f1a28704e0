package dev.ovation.protocol;

import org.jspecify.annotations.Nullable;

/** An action at one instant; its owner may have died by then. */
public class Step {

    final @Nullable Object owner;
    final String what;
    private final Runnable action;

    Step(@Nullable Object owner, String what, Runnable action) {
        this.owner = owner;
        this.what = what;
        this.action = action;
    }

    /** Executes the step; returns whether there is more of it. */
    boolean happen() {
        action.run();
        return false;
    }

    /** Returns whether the step may still be executed after the death of its owner. */
    boolean outlivesOwner() {
        return false;
    }

    @Override
    public String toString() {
        return (owner == null ? "" : owner + ": ") + what;
    }
}
