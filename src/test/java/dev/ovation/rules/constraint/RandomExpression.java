package dev.ovation.rules.constraint;

import java.util.List;
import java.util.Random;

/** Writes random expressions of constraints, most of which CEL and the translator accept. */
final class RandomExpression {

    static final List<String> REACTIONS = List.of("a", "b", "like", "👍", "so:so");

    private final Random random;
    private int loops;

    RandomExpression(Random random) {
        this.random = random;
    }

    String next() {
        return bool(2 + random.nextInt(3));
    }

    private String any(String... texts) {
        return texts[random.nextInt(texts.length)];
    }

    private String bool(int depth) {
        if (depth <= 0) {
            return any(
                    "true",
                    "false",
                    "attributes.vip",
                    "has(attributes.age)",
                    "has(attributes.country)",
                    "op == 'add'",
                    "entity.first_reacted_at == null",
                    "user.last_reacted_at != null",
                    reaction() + " in added",
                    reaction() + " in entity.counts");
        }
        int d = depth - 1;
        return switch (random.nextInt(20)) {
            case 0, 1, 2 -> "(" + bool(d) + " && " + bool(d) + ")";
            case 3, 4, 5 -> "(" + bool(d) + " || " + bool(d) + ")";
            case 6 -> "!" + "(" + bool(d) + ")";
            case 7 -> "(" + bool(d) + " ? " + bool(d) + " : " + bool(d) + ")";
            case 8, 9, 10 ->
                    number(d) + any(" < ", " <= ", " > ", " >= ", " == ", " != ") + number(d);
            case 11 -> time(d) + any(" < ", " <= ", " > ", " >= ", " == ", " != ") + time(d);
            case 12 -> span(d) + any(" < ", " <= ", " > ", " >= ", " == ", " != ") + span(d);
            case 13 -> text(d) + any(" == ", " != ") + text(d);
            case 14 -> text(d) + any(".startsWith(", ".endsWith(", ".contains(") + text(d) + ")";
            case 15 -> reaction() + " in " + reactions(d);
            case 16 -> text(d) + " in " + texts(d);
            case 17 -> reactions(d) + any(" == ", " != ") + reactions(d);
            case 18 -> loop(reactions(d), true, d);
            default -> any(loop("entity.counts", true, d), loop(texts(d), false, d));
        };
    }

    private String loop(String range, boolean ofReactions, int depth) {
        String name = any("r", "s") + (loops++ % 2);
        String about =
                ofReactions
                        ? any(
                                name + " == " + reaction(),
                                name + " in added",
                                name + " in ['a', 'like']",
                                name + ".startsWith('" + any("", "l", "so:") + "')",
                                "entity.counts[" + name + "] > " + number(0),
                                "size(" + name + ") > 1")
                        : any(
                                name + " == " + text(0),
                                name + " in attributes.roles",
                                "size(" + name + ") == 2");
        String condition =
                any(
                        about,
                        "(" + about + " && " + bool(depth - 1) + ")",
                        "(" + bool(depth - 1) + " || " + about + ")",
                        "!(" + about + ")");
        return range + any(".exists(", ".all(", ".exists_one(") + name + ", " + condition + ")";
    }

    private String reaction() {
        return "'" + REACTIONS.get(random.nextInt(REACTIONS.size())) + "'";
    }

    private String reactions(int depth) {
        if (depth > 0 && random.nextInt(4) == 0) {
            String name = "f" + (loops++ % 2);
            return reactions(depth - 1)
                    + ".filter("
                    + name
                    + ", "
                    + any(name + " != " + reaction(), name + " in user.reactions", bool(depth - 1))
                    + ")";
        }
        return any("added", "removed", "user.reactions", "['a', 'like', '👍']", "[]");
    }

    private String texts(int depth) {
        return any(
                "attributes.roles",
                "['', 'staff', 'é']",
                "[" + text(depth - 1) + ", attributes.country]");
    }

    private String text(int depth) {
        if (depth > 0 && random.nextInt(5) == 0) {
            return "(" + bool(depth - 1) + " ? " + text(depth - 1) + " : " + text(depth - 1) + ")";
        }
        return any(
                "op",
                "user.id",
                "entity.id",
                "attributes.country",
                "attributes.roles[" + random.nextInt(3) + "]",
                "'add'",
                "''",
                "'TW'",
                "'é🏳️‍🌈'",
                "'it\\'s \"%d\" \\\\ ]]'");
    }

    private String number(int depth) {
        if (depth <= 0) {
            return any(
                    Integer.toString(random.nextInt(5)),
                    "-1",
                    "attributes.age",
                    "entity.total",
                    "entity.kinds",
                    "entity.counts[" + reaction() + "]",
                    "size(added)",
                    "size(removed)",
                    "size(user.reactions)",
                    "size(entity.counts)");
        }
        int d = depth - 1;
        return switch (random.nextInt(7)) {
            case 0, 1, 2 -> "(" + number(d) + any(" + ", " - ") + number(d) + ")";
            case 3 -> "(" + number(d) + any(" / ", " % ") + number(d) + ")";
            case 4 -> "(" + number(d) + " * " + random.nextInt(9) + ")";
            case 5 -> "size(" + any(text(d), reactions(d), texts(d)) + ")";
            default -> "-(" + number(d) + ")";
        };
    }

    private String time(int depth) {
        return depth > 0 && random.nextInt(3) == 0
                ? "(" + time(depth - 1) + any(" + ", " - ") + span(0) + ")"
                : any(
                        "now",
                        "entity.first_reacted_at",
                        "entity.last_reacted_at",
                        "user.last_reacted_at",
                        "timestamp('2026-11-25T10:00:00Z')",
                        "timestamp('2026-11-25T12:00:00.000001+02:00')");
    }

    private String span(int depth) {
        return depth > 0 && random.nextInt(2) == 0
                ? "(" + time(depth - 1) + " - " + time(depth - 1) + ")"
                : "duration('" + any("2s", "720h", "1h30m", "-1.5s", "100ms", "7us", "0s") + "')";
    }
}
