package dev.ovation.rules.constraint;

import dev.cel.common.values.NullValue;
import dev.ovation.reaction.attribute.Attributes;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** A state on which a constraint is judged: as variables of CEL, and as arguments of a script. */
record ConstraintState(
        String op,
        long now,
        String user,
        String entity,
        List<String> added,
        List<String> removed,
        List<String> own,
        @Nullable Long last,
        Map<String, Long> counts,
        long first,
        Map<String, Object> attributes) {

    static final Map<String, AttributeType> DECLARED =
            Map.of(
                    "age", AttributeType.INT,
                    "country", AttributeType.STRING,
                    "vip", AttributeType.BOOL,
                    "roles", AttributeType.LIST);

    private static final long NOON = 1_795_608_000_000_000L;

    static ConstraintState random(Random random) {
        var counts = new TreeMap<String, Long>();
        for (String each : some(random)) {
            counts.put(each, 1L + random.nextInt(5));
        }
        var attributes = new LinkedHashMap<String, Object>();
        if (random.nextBoolean()) {
            attributes.put("age", (long) random.nextInt(4));
        }
        if (random.nextBoolean()) {
            attributes.put("country", random.nextBoolean() ? "TW" : "");
        }
        if (random.nextBoolean()) {
            attributes.put("vip", random.nextBoolean());
        }
        if (random.nextBoolean()) {
            attributes.put(
                    "roles",
                    List.of(List.of(), List.of("staff"), List.of("", "é", "TW"))
                            .get(random.nextInt(3)));
        }
        long now = NOON - random.nextInt(3) * 1_000_000L + random.nextInt(3);
        return new ConstraintState(
                List.of("add", "remove", "put").get(random.nextInt(3)),
                now,
                random.nextBoolean() ? "TW" : "ann",
                "post",
                some(random),
                some(random),
                some(random),
                random.nextBoolean() ? null : now - random.nextInt(3) * 1_000_000L,
                counts,
                now - random.nextInt(3) * 2_592_000_000_000L,
                attributes);
    }

    private static List<String> some(Random random) {
        var some = new ArrayList<String>();
        for (String each : RandomExpression.REACTIONS) {
            if (random.nextInt(3) == 0) {
                some.add(each);
            }
        }
        return some;
    }

    /** The values of the variables in CEL. */
    Map<String, Object> variables() {
        boolean isEmpty = counts.isEmpty();
        return Map.of(
                "op",
                op,
                "now",
                time(now),
                "added",
                added,
                "removed",
                removed,
                "user",
                Map.of(
                        "id", user,
                        "reactions", own,
                        "last_reacted_at", last == null ? NullValue.NULL_VALUE : time(last)),
                "entity",
                Map.of(
                        "id",
                        entity,
                        "counts",
                        counts,
                        "kinds",
                        (long) counts.size(),
                        "total",
                        counts.values().stream().mapToLong(each -> each).sum(),
                        "first_reacted_at",
                        isEmpty ? NullValue.NULL_VALUE : time(first),
                        "last_reacted_at",
                        isEmpty ? NullValue.NULL_VALUE : time(first + 5)),
                "attributes",
                new HashMap<>(attributes));
    }

    private static Instant time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** The arguments of the script: one text each. */
    List<String> arguments() {
        var hash = new ArrayList<>(List.of("version", "7"));
        counts.forEach(
                (reaction, count) -> {
                    hash.add("r:" + reaction);
                    hash.add(count + "\u001f" + first + "\u001f" + (first + 5));
                });
        return List.of(
                op,
                Long.toString(now),
                user,
                entity,
                String.join("\u001f", added),
                String.join("\u001f", removed),
                String.join("\u001f", own),
                last == null ? "" : Long.toString(last),
                Attributes.encoded(attributes),
                String.join("\u001e", hash));
    }
}
