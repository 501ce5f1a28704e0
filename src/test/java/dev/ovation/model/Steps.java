package dev.ovation.model;

import dev.ovation.model.Command.Batch;
import dev.ovation.model.Command.Kind;
import dev.ovation.model.Command.Match;
import dev.ovation.model.Command.Put;
import dev.ovation.model.Command.Read;
import dev.ovation.model.Command.Write;

import java.util.List;

/** Short forms of commands on one post. */
final class Steps {

    private static final String ENTITY = "post";

    private Steps() {}

    static Write add(String user, String reaction) {
        return write(Kind.ADD, "posts", user, reaction, false, false, "");
    }

    static Write addIn(String namespace, String user, String reaction) {
        return write(Kind.ADD, namespace, user, reaction, false, false, "");
    }

    static Write force(String user, String reaction) {
        return write(Kind.ADD, "posts", user, reaction, true, false, "");
    }

    static Write ensure(String user, String reaction) {
        return write(Kind.ADD, "posts", user, reaction, false, true, "");
    }

    static Write remove(String user, String reaction) {
        return write(Kind.REMOVE, "posts", user, reaction, false, false, "");
    }

    static Write keyed(String key, Write write) {
        return write(
                write.kind(),
                write.namespace(),
                write.user(),
                write.reaction(),
                write.force(),
                write.existingIsFine(),
                key);
    }

    static Put put(String user, String... reactions) {
        return new Put("posts", ENTITY, user, List.of(reactions), "", Match.NOTHING);
    }

    static Batch batch(Write... writes) {
        return new Batch(List.of(writes), "");
    }

    static Read read(String user) {
        return new Read("posts", ENTITY, user, false, true);
    }

    static Read details() {
        return new Read("posts", ENTITY, "", true, true);
    }

    private static Write write(
            Kind kind,
            String namespace,
            String user,
            String reaction,
            boolean force,
            boolean existingIsFine,
            String key) {
        return new Write(
                kind, namespace, ENTITY, user, reaction, force, existingIsFine, key, false, false);
    }
}
