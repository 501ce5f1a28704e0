package dev.ovation.protocol;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A command on its way to the server to which its sender is connected, or its answer on the way
 * back.
 */
final class Message<T> extends Step {

    private final World world;
    private final Redis server;
    private final Function<Redis, T> command;
    private final Consumer<T> reply;
    private final Consumer<Boolean> failed;
    private boolean executed;
    private boolean refused;
    private boolean awaited = true;
    private T answer;

    /**
     * Creates a command.
     *
     * @param failed gets whether it is proved that nothing changed
     */
    Message(
            World world,
            Object owner,
            String what,
            Redis server,
            Function<Redis, T> command,
            Consumer<T> reply,
            Consumer<Boolean> failed) {
        super(owner, what, () -> {});
        this.world = world;
        this.server = server;
        this.command = command;
        this.reply = reply;
        this.failed = failed;
    }

    @Override
    boolean happen() {
        return executed ? arrive() : execute();
    }

    private boolean execute() {
        if (world.happens(Fault.REQUEST_LOST)) {
            return giveUp(false);
        }
        if (awaited && world.happens(Fault.TIME_OUT)) {
            return giveUp(true);
        }
        executed = true;
        try {
            answer = command.apply(server);
            world.note(() -> "  answers " + answer);
        } catch (Redis.OutOfMemory e) {
            refused = true;
            world.note(() -> "  answers OOM");
        }
        return awaited;
    }

    private boolean giveUp(boolean goesOn) {
        if (awaited) {
            awaited = false;
            world.later(owner, what + " was not answered", () -> failed.accept(false));
        }
        return goesOn;
    }

    private boolean arrive() {
        if (world.happens(Fault.REPLY_LOST)) {
            failed.accept(false);
        } else if (refused) {
            failed.accept(true);
        } else {
            reply.accept(answer);
        }
        return false;
    }

    @Override
    boolean outlivesOwner() {
        awaited = false;
        return !executed;
    }

    @Override
    public String toString() {
        return super.toString() + (executed ? " (answer)" : "");
    }
}
