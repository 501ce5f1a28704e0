package dev.ovation.outbox;

import dev.ovation.entity.EntityKey;

import java.util.Collection;
import java.util.function.Consumer;

/**
 * Announces which entities may have a new committed state, whichever instance committed it. An
 * announcement is a hint: after a failure of Redis or of an instance one may be missing.
 */
public final class CommittedChanges {

    private volatile Consumer<EntityKey> listener = _ -> {};
    private volatile Runnable whenMissed = () -> {};

    CommittedChanges() {}

    /**
     * Sets the listener. It runs on the thread that receives messages of Redis, and must not wait.
     *
     * @param changed takes each entity
     * @param missed runs when any announcements may be missing
     */
    public void listen(Consumer<EntityKey> changed, Runnable missed) {
        listener = changed;
        whenMissed = missed;
    }

    void changed(Collection<EntityKey> keys) {
        keys.forEach(listener);
    }

    void missed() {
        whenMissed.run();
    }
}
