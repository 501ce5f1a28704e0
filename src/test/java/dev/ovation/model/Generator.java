package dev.ovation.model;

import dev.ovation.model.Command.Batch;
import dev.ovation.model.Command.Disturbance;
import dev.ovation.model.Command.Harm;
import dev.ovation.model.Command.Kind;
import dev.ovation.model.Command.Match;
import dev.ovation.model.Command.Put;
import dev.ovation.model.Command.Read;
import dev.ovation.model.Command.Refresh;
import dev.ovation.model.Command.Write;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Generates sequences of commands from a seed. Each sequence draws its own few namespaces, entities
 * and users from the {@link World}, so that commands interact. Each also draws its own
 * probabilities, so that sequences differ.
 */
final class Generator {

    private final SplittableRandom random;
    private final List<Command> commands = new ArrayList<>();
    private final List<Command> keyed = new ArrayList<>();
    private final List<String> namespaces;
    private final List<String> entities;
    private final List<String> users;
    private final int removals;
    private final int reads;
    private final int disturbances;
    private final int refreshes;
    private boolean tight;

    private Generator(long seed) {
        random = new SplittableRandom(seed);
        namespaces = some(World.NAMESPACES, 2);
        if (chance(60)) {
            namespaces.addFirst(World.NAMESPACES.getFirst());
        }
        entities = some(World.ENTITIES, 2);
        users = some(World.USERS, 6);
        removals = random.nextInt(5, 40);
        reads = random.nextInt(5, 30);
        disturbances = random.nextInt(0, 25);
        refreshes = chance(50) ? 0 : 4;
    }

    /** The sequence of this seed; it is the same each time. */
    static List<Command> sequence(long seed, int length) {
        var generator = new Generator(seed);
        while (generator.commands.size() < length) {
            generator.commands.add(generator.next());
        }
        return generator.commands;
    }

    private Command next() {
        int dice = random.nextInt(100);
        if (dice < refreshes) {
            tight = tight == chance(20);
            return new Refresh(tight ? World.TIGHT : World.USUAL);
        }
        dice -= refreshes;
        if (dice < disturbances) {
            return new Disturbance(one(List.of(Harm.values())), one(namespaces), one(entities));
        }
        dice -= disturbances;
        if (dice < reads) {
            String viewer = chance(30) ? "" : chance(3) ? one(World.ILL_FORMED) : one(users);
            return new Read(one(namespaces), one(entities), viewer, chance(60), chance(50));
        }
        if (!keyed.isEmpty() && chance(12)) {
            return again(one(keyed));
        }
        int form = random.nextInt(100);
        Command command = form < 15 ? put() : form < 25 ? batch() : write();
        boolean isKeyed =
                switch (command) {
                    case Write write -> !write.key().isEmpty();
                    case Put put -> !put.key().isEmpty();
                    case Batch batch -> !batch.key().isEmpty();
                    default -> false;
                };
        if (isKeyed) {
            keyed.add(command);
        }
        return command;
    }

    private Put put() {
        String namespace = one(namespaces);
        return new Put(
                namespace,
                one(entities),
                chance(2) ? one(World.ILL_FORMED) : one(users),
                chance(10) ? List.of() : someReactions(namespace),
                chance(25) ? key() : "",
                match());
    }

    private List<String> someReactions(String namespace) {
        List<String> all = World.reactions(namespace);
        return some(all, Math.min(4, all.size()));
    }

    private Match match() {
        return chance(60) ? Match.NOTHING : one(List.of(Match.values()));
    }

    private Batch batch() {
        var operations = new ArrayList<Write>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            Write write = write();
            operations.add(
                    new Write(
                            write.kind(),
                            write.namespace(),
                            write.entity(),
                            write.user(),
                            write.reaction(),
                            write.force(),
                            write.existingIsFine(),
                            "",
                            false,
                            false));
        }
        return new Batch(operations, chance(25) ? key() : "");
    }

    private Write write() {
        Kind kind = chance(removals) ? Kind.REMOVE : Kind.ADD;
        String namespace = one(namespaces);
        return new Write(
                kind,
                namespace,
                one(entities),
                chance(2) ? one(World.ILL_FORMED) : one(users),
                one(World.reactions(namespace)),
                kind == Kind.ADD && chance(35),
                kind == Kind.ADD && chance(25),
                chance(25) ? key() : "",
                chance(50),
                kind == Kind.REMOVE && chance(30));
    }

    /** Mostly a new key; else one that this or another user had before. */
    private String key() {
        return "k" + random.nextInt(chance(70) ? keyed.size() + 1 : 1 + keyed.size() / 2);
    }

    private Command again(Command command) {
        return switch (command) {
            case Write write -> again(write);
            case Put put ->
                    new Put(
                            put.namespace(),
                            put.entity(),
                            put.user(),
                            put.reactions().reversed(),
                            put.key(),
                            match());
            default -> command;
        };
    }

    private Write again(Write write) {
        return new Write(
                write.kind(),
                write.namespace(),
                write.entity(),
                write.user(),
                write.reaction(),
                write.force(),
                write.existingIsFine(),
                write.key(),
                chance(70),
                write.inQuery());
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T one(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private <T> List<T> some(List<T> list, int most) {
        var rest = new ArrayList<>(list);
        var chosen = new ArrayList<T>();
        for (int i = random.nextInt(1, most + 1); i > 0; i--) {
            chosen.add(rest.remove(random.nextInt(rest.size())));
        }
        return chosen;
    }
}
