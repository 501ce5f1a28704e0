package dev.ovation.protocol;

import dev.ovation.entity.EntityKey;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One change that a client requests, possibly several times. The reactions a and b exclude each
 * other; an entity has at most two distinct reactions.
 */
final class Wish {

    static final int LIMIT = 2;
    static final List<String> KINDS = List.of("a", "b", "c", "d");
    static final List<List<String>> GROUPS = List.of(List.of("a", "b"));

    final String user;
    final EntityKey key;
    final boolean add;
    final String reaction;
    final boolean force;
    final boolean existingIsFine;

    /** Its idempotency key, or empty; begins with the entity. */
    final String idempotencyKey;

    /** The ops of all attempts. */
    final Set<String> ops = new LinkedHashSet<>();

    /** Made once: each request of the wish names it. */
    private final String text;

    Wish(
            String user,
            EntityKey key,
            boolean add,
            String reaction,
            boolean force,
            boolean existingIsFine,
            String idempotencyKey) {
        this.user = user;
        this.key = key;
        this.add = add;
        this.reaction = reaction;
        this.force = force;
        this.existingIsFine = existingIsFine;
        this.idempotencyKey = idempotencyKey;
        this.text =
                "%s %s%s %s on %s%s"
                        .formatted(
                                user,
                                force ? "force-" : "",
                                add ? "adds" : "removes",
                                reaction,
                                key.entity(),
                                idempotencyKey.isEmpty() ? "" : " under '" + idempotencyKey + "'");
    }

    static List<String> excluding(String reaction) {
        return switch (reaction) {
            case "a" -> List.of("b");
            case "b" -> List.of("a");
            default -> List.of();
        };
    }

    List<String> excluded() {
        return excluding(reaction);
    }

    /** The user's own reactions after the change, if no rule forbids it. */
    Set<String> on(Set<String> own) {
        var after = new HashSet<>(own);
        if (!add) {
            after.remove(reaction);
        } else if (force || excluded().stream().noneMatch(own::contains)) {
            after.removeAll(excluded());
            after.add(reaction);
        }
        return after;
    }

    @Override
    public String toString() {
        return text;
    }
}
