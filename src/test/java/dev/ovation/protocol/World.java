package dev.ovation.protocol;

import dev.ovation.entity.EntityKey;
import dev.ovation.outbox.Database;
import dev.ovation.outbox.InstanceModel;
import dev.ovation.store.PostgresModel;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Two or three instances with their clients, a Redis that another may replace, and a Postgres. It
 * runs one step at a time; {@link Choices} selects the step.
 */
public final class World {

    private static final int LENGTH = 90;
    private static final int ROUNDS = 30;

    private final Choices choices;
    private final Set<Rule> broken;
    private final Set<Fault> faults = EnumSet.noneOf(Fault.class);
    private final List<Step> steps = new ArrayList<>();
    private final List<InstanceModel> instances = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final Disasters disasters;
    private final Servers servers;
    private final Checker checker;
    private final List<EntityKey> entities;
    private final int partitions;
    private final @Nullable List<String> trace;

    private final int calm;
    private boolean quiet = true;
    private final boolean oneCall;
    private long clock = 1;
    private int names;

    /**
     * Creates the world of a schedule.
     *
     * @param oneCall whether relays try one call before a transaction of several statements
     */
    World(
            Choices choices,
            Set<Rule> broken,
            Servers.Kind kind,
            boolean oneCall,
            @Nullable List<String> trace) {
        this.oneCall = oneCall;
        this.choices = choices;
        this.broken = broken;
        this.trace = trace;
        int shape = choices.below(3);
        this.partitions = shape == 2 ? 2 : 1;
        this.entities =
                shape == 0
                        ? List.of(new EntityKey("n", "x"))
                        : List.of(new EntityKey("n", "x"), new EntityKey("n", "y"));
        this.servers = new Servers(this, kind);
        this.checker = new Checker(this);
        this.disasters = new Disasters(this, choices);
        this.calm = List.of(1, 3, 8).get(choices.below(3));
        int share = 2 + choices.below(4);
        for (Fault fault : Fault.values()) {
            if (choices.oneIn(fault == Fault.POSTGRES_LOSES ? 8 : share)) {
                faults.add(fault);
            }
        }
        int count = choices.oneIn(4) ? 3 : 2;
        for (int i = 1; i <= count; i++) {
            instances.add(new InstanceModel("instance" + i, this));
        }
        for (String user : List.of("ann", "ben", "cat")) {
            clients.add(new Client(user, this, choices));
        }
    }

    /** Whether relays try one call before a transaction of several statements. */
    public boolean oneCall() {
        return oneCall;
    }

    /** Runs one schedule to its end; throws a {@link Violation} if a promise is broken. */
    void run() {
        rest();
        quiet = false;
        for (int i = 0; i < LENGTH && !choices.isOver(); i++) {
            step();
            checker.look();
        }
        quiet = true;
        note(() -> "-- no more faults");
        servers.heal();
        rest();
        checker.atTheEnd();
    }

    private void step() {
        clock += 1 + choices.below(3);
        if (choices.oneIn(10 * calm)) {
            disasters.happen();
        } else if (choices.oneIn(6)) {
            choices.of(instances).tick(choices.below(5));
        } else {
            List<Step> possible = possible();
            if (!possible.isEmpty()) {
                happen(choices.of(possible));
            }
        }
    }

    /** Steps in flight, and steps that instances or clients may begin. */
    private List<Step> possible() {
        var possible = new ArrayList<>(steps);
        possible.addAll(offered());
        clients.forEach(client -> client.mayBegin(possible::add));
        return possible;
    }

    /** Steps that instances may begin. */
    private List<Step> offered() {
        var offered = new ArrayList<Step>();
        instances.forEach(instance -> instance.mayBegin(offered::add));
        return offered;
    }

    private void happen(Step step) {
        note(step::toString);
        steps.remove(step);
        if (step.happen()) {
            steps.add(step);
        }
    }

    /** Completes all steps, without faults and without new requests. */
    private void rest() {
        for (int round = 0; round < ROUNDS; round++) {
            servers.secondsPass();
            for (InstanceModel instance : instances) {
                for (int kind = 0; kind < 5; kind++) {
                    instance.tick(kind);
                }
            }
            for (int i = 0; i < 1000; i++) {
                var next = steps.isEmpty() ? offered() : steps;
                if (next.isEmpty()) {
                    break;
                }
                happen(next.getFirst());
                checker.look();
            }
            if (steps.isEmpty() && checker.isAllDone()) {
                return;
            }
        }
        throw new Violation("the schedule does not end: " + checker.whatIsLeft());
    }

    /** Schedules an action for any later time. */
    public void later(@Nullable Object owner, String what, Runnable action) {
        steps.add(new Step(owner, what, action));
    }

    /** Creates a step that its owner offers, and that need not be executed. */
    public static Step offer(Object owner, String what, Runnable action) {
        return new Step(owner, what, action);
    }

    /** Sends a command to the Redis of an instance. */
    public <T> void send(
            InstanceModel from,
            String what,
            Function<Redis, T> command,
            Consumer<T> reply,
            Consumer<Boolean> failed) {
        steps.add(new Message<>(this, from, what, from.server(), command, reply, failed));
    }

    /** Sends a query to Postgres. */
    public <T> void ask(
            InstanceModel from,
            String what,
            Supplier<T> question,
            Consumer<T> answer,
            Runnable failed) {
        later(
                from,
                what,
                () -> {
                    if (happens(Fault.QUERY_FAILS)) {
                        failed.run();
                        return;
                    }
                    T found = question.get();
                    note(() -> "  finds " + found);
                    later(from, what + " (answer)", () -> answer.accept(found));
                });
    }

    /** Whether a fault occurs now. */
    public boolean happens(Fault fault) {
        if (quiet || !faults.contains(fault) || !choices.oneIn(4 + 4 * calm)) {
            return false;
        }
        note(() -> "  ! " + fault);
        return true;
    }

    boolean has(Fault fault) {
        return faults.contains(fault);
    }

    public boolean keeps(Rule rule) {
        return !broken.contains(rule);
    }

    /** Replaces an instance that died, with its pending steps, by another. */
    void replace(InstanceModel gone) {
        gone.die();
        steps.removeIf(step -> step.owner == gone && !step.outlivesOwner());
        clients.forEach(client -> client.lost(gone));
        String name = gone.toString().replaceAll("'?$", "'");
        instances.set(instances.indexOf(gone), new InstanceModel(name, this));
    }

    /** Ends the sessions of Postgres, and their locks. */
    void killSessions() {
        servers.killSessions();
    }

    /** Logs a step if a reader wants the log. */
    public void note(Supplier<String> line) {
        if (trace != null) {
            trace.add(line.get());
        }
    }

    public String name(String kind) {
        return kind + ++names;
    }

    public long clock() {
        return clock;
    }

    public List<InstanceModel> instances() {
        return instances;
    }

    List<Client> clients() {
        return clients;
    }

    public int partitions() {
        return partitions;
    }

    public List<EntityKey> entities() {
        return entities;
    }

    public int partitionOf(EntityKey key) {
        return partitions == 2 && key.entity().equals("y") ? 1 : 0;
    }

    Servers servers() {
        return servers;
    }

    public Checker checker() {
        return checker;
    }

    public Redis master() {
        return servers.master();
    }

    public Database database() {
        return servers.database();
    }

    public PostgresModel postgres() {
        return servers.postgres();
    }

    /** Reports a commit to the checker. */
    public void committed(PostgresModel.Rows[] before) {
        checker.committed(before);
    }
}
