package dev.ovation.rules.constraint;

import dev.ovation.rules.constraint.Fragment.Kind;
import dev.ovation.rules.constraint.Fragment.Shape;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The variables of constraints as parts of a program, and which of them one expression mentions.
 */
final class Variables {

    static final Span SIZES = Span.of(0, 1_000_000_000L);
    static final Span COUNTS = Span.of(0, AttributeType.MOST);

    private static final Span NUMBERS = Span.of(-AttributeType.MOST, AttributeType.MOST);

    /** Usual sizes; an evaluation that exceeds its bound on steps refuses the change. */
    private static final long REACTIONS = 200;

    private static final long KINDS = 1_000;

    private final Map<String, AttributeType> declared;
    private final Set<String> used = new TreeSet<>();
    private final Set<String> attributes = new TreeSet<>();

    Variables(Map<String, AttributeType> declared) {
        this.declared = declared;
    }

    boolean uses(String variable) {
        return used.contains(variable);
    }

    /** Returns the names of the attributes that the expression mentions. */
    Set<String> attributes() {
        return attributes;
    }

    Fragment whole(String name) throws ConstraintException {
        used.add(name);
        return switch (name) {
            case "op" -> Fragment.value(Kind.STRING, "vop");
            case "now" -> Fragment.value(Kind.TIMESTAMP, Times.TIMES, "vnow");
            case "added", "removed" -> Fragment.list(Kind.REACTION, REACTIONS, "v" + name);
            case "user", "entity", "attributes" ->
                    throw Translator.unsupported("`%s` without one of its members".formatted(name));
            default -> throw Translator.unsupported("`%s`".formatted(name));
        };
    }

    /** Returns a member of the user or of the entity, by its full name. */
    Fragment member(String name) throws ConstraintException {
        used.add(name);
        String token = "v" + name;
        return switch (name) {
            case "user.id", "entity.id" -> Fragment.value(Kind.STRING, token);
            case "user.reactions" -> Fragment.list(Kind.REACTION, REACTIONS, token);
            case "user.last_reacted_at", "entity.first_reacted_at", "entity.last_reacted_at" ->
                    Fragment.value(Kind.TIMESTAMP, Times.TIMES, token);
            case "entity.total" -> Fragment.value(Kind.INT, COUNTS, token);
            case "entity.kinds" -> Fragment.value(Kind.INT, SIZES, token);
            case "entity.counts" ->
                    new Fragment(
                            List.of(token), Shape.COUNTS, Kind.REACTION, COUNTS, KINDS, 1, false);
            default -> throw Translator.unsupported("`%s`".formatted(name));
        };
    }

    /** Returns an attribute, or whether the write brings it. */
    Fragment attribute(String name, boolean isTest) throws ConstraintException {
        AttributeType type = declared.get(name);
        if (type == null) {
            throw Translator.unsupported("the undeclared attribute `%s`".formatted(name));
        }
        attributes.add(name);
        if (isTest) {
            return Fragment.value(Kind.BOOL, "h" + name);
        }
        String token = "a" + name;
        return switch (type) {
            case INT -> Fragment.value(Kind.INT, NUMBERS, token);
            case STRING -> Fragment.value(Kind.STRING, token);
            case BOOL -> Fragment.value(Kind.BOOL, token);
            case LIST -> Fragment.list(Kind.STRING, AttributeType.MOST_TEXTS, token);
        };
    }
}
