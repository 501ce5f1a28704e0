package dev.ovation.protocol;

import org.jspecify.annotations.Nullable;

/** Something that happens at one instant; whoever it belongs to may be gone by then. */
public class Step {

    final @Nullable Object owner;
    final String what;
    private final Runnable action;

    Step(@Nullable Object owner, String what, Runnable action) {
        this.owner = owner;
        this.what = what;
        this.action = action;
    }

    /** Happens; returns whether there is more of it. */
    boolean happen() {
        action.run();
        return false;
    }

    /** Its owner is gone; returns whether it may happen all the same. */
    boolean outlivesOwner() {
        return false;
    }

    @Override
    public String toString() {
        return (owner == null ? "" : owner + ": ") + what;
    }
}
