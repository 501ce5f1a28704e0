package dev.ovation.protocol;

import dev.ovation.outbox.InstanceModel;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/** A client with one user of its own, which sends one request at a time. */
final class Client {

    private final String user;
    private final World world;
    private final Choices choices;
    private @Nullable Writing writing;
    private @Nullable Reading reading;
    private @Nullable Wish unanswered;

    Client(String user, World world, Choices choices) {
        this.user = user;
        this.world = world;
        this.choices = choices;
    }

    void mayBegin(Consumer<Step> offers) {
        if (isIdle()) {
            offers.accept(World.offer(user, "begins", this::begin));
        }
    }

    boolean isIdle() {
        return writing == null && reading == null;
    }

    @Nullable Writing writing() {
        return writing;
    }

    private void begin() {
        var instance = choices.of(world.instances());
        if (choices.oneIn(4)) {
            reading =
                    new Reading(
                            world,
                            user,
                            instance,
                            choices.of(world.entities()),
                            () -> reading = null);
            reading.begin();
            return;
        }
        var wish = unanswered != null && choices.below(3) > 0 ? unanswered : wish();
        unanswered = null;
        writing = new Writing(world, instance, wish, this::ended);
        world.checker().begins(writing);
        writing.begin();
    }

    private Wish wish() {
        boolean add = choices.below(3) < 2;
        var key = choices.of(world.entities());
        return new Wish(
                user,
                key,
                add,
                choices.of(Wish.KINDS),
                add && choices.oneIn(3),
                choices.oneIn(3),
                choices.oneIn(3) ? world.name(key.entity() + " key") : "");
    }

    private void ended() {
        var done = writing;
        writing = null;
        world.checker().ended(done);
        if (done.outcome() == Writing.Outcome.UNKNOWN && !done.wish().idempotencyKey.isEmpty()) {
            unanswered = done.wish();
        }
    }

    /** Ends the current request, because its instance has died. */
    void lost(InstanceModel instance) {
        if (writing != null && writing.instance() == instance) {
            writing.end(Writing.Outcome.UNKNOWN, "connection lost");
        }
        if (reading != null && reading.instance() == instance) {
            reading = null;
        }
    }
}
