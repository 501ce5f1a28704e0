package dev.ovation.hot.state;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One change of one user on one entity, as {@code react.lua} appends it to an outbox.
 *
 * @param seq its number within the epoch
 * @param op its id
 * @param baseOp id of the change that made the state on which this one was judged; empty for none
 * @param baseVersion version of that state
 * @param version version of the state that the change makes; the base's when it changes nothing
 * @param added keys of the added reactions
 * @param removed keys of the removed reactions
 * @param touched the counters of both after the change; a count may be 0
 * @param at its time, in microseconds since 1970, growing per entity
 * @param configVersion version of the rules in force for it; 0 of a removal by an older release
 * @param keyed data to keep when the change came with an idempotency key
 * @param forms the forms of added reactions that have one, by key: the emoji with its skin tones
 */
public record Event(
        long seq,
        String op,
        String baseOp,
        EntityKey key,
        String user,
        long baseVersion,
        long version,
        List<String> added,
        List<String> removed,
        List<Counter> touched,
        long at,
        long configVersion,
        @Nullable Keyed keyed,
        Map<String, String> forms) {

    /**
     * The only schema version of events that this program understands. A release may add members to
     * a schema version when older programs may ignore them and newer programs work without them. No
     * release removes a member or changes its meaning. A member that an older program must not
     * ignore needs another schema version: the older program stops at such an event, and a newer
     * one continues.
     */
    public static final String SCHEMA = "1";

    /**
     * The only field of an entry. Its value is the joined members of the event, each with its name.
     */
    public static final String FIELD = "e";

    /**
     * The member of a sampled write: the {@code traceparent} of its proposal. It is for traces
     * alone.
     */
    public static final String TRACE = "tp";

    private static final char PART = RedisSchema.PART.charAt(0);

    /** Creates an event whose reactions have no forms. */
    public Event(
            long seq,
            String op,
            String baseOp,
            EntityKey key,
            String user,
            long baseVersion,
            long version,
            List<String> added,
            List<String> removed,
            List<Counter> touched,
            long at,
            long configVersion,
            @Nullable Keyed keyed) {
        this(
                seq,
                op,
                baseOp,
                key,
                user,
                baseVersion,
                version,
                added,
                removed,
                touched,
                at,
                configVersion,
                keyed,
                Map.of());
    }

    /** An idempotency key, the hash of its request, and the state right after the change. */
    public record Keyed(
            String key,
            String requestHash,
            List<Counter> counters,
            List<String> own,
            boolean locked) {}

    /**
     * Returns the members of an event, by name; none when the entry holds no event.
     *
     * @param entry the fields of an entry of an outbox
     */
    public static Map<String, String> members(Map<String, String> entry) {
        return members(entry.getOrDefault(FIELD, ""));
    }

    /**
     * Returns the members of an event, by name.
     *
     * @param joined the one field of its entry
     */
    public static Map<String, String> members(String joined) {
        var members = new LinkedHashMap<String, String>(32);
        int from = 0;
        while (from < joined.length()) {
            int middle = joined.indexOf(PART, from);
            if (middle < 0) {
                break; // a name without a value is no member
            }
            int end = joined.indexOf(PART, middle + 1);
            end = end < 0 ? joined.length() : end;
            members.put(joined.substring(from, middle), joined.substring(middle + 1, end));
            from = end + 1;
        }
        return members;
    }

    /**
     * Parses the members of an event.
     *
     * @throws IllegalArgumentException when a member is missing or malformed
     */
    public static Event read(long seq, Map<String, String> fields) {
        String key = fields.get("ik");
        return new Event(
                seq,
                field(fields, "op"),
                field(fields, "base"),
                new EntityKey(field(fields, "n"), field(fields, "e")),
                field(fields, "u"),
                number(fields, "bv"),
                number(fields, "v"),
                RedisSchema.split(field(fields, "add")),
                RedisSchema.split(field(fields, "rem")),
                RedisSchema.counters(field(fields, "cnt")),
                number(fields, "at"),
                number(fields, "cfg"),
                key == null
                        ? null
                        : new Keyed(
                                key,
                                field(fields, "ih"),
                                RedisSchema.counters(field(fields, "st")),
                                RedisSchema.split(field(fields, "own")),
                                fields.containsKey("lk")),
                forms(fields.getOrDefault("fm", "")));
    }

    /**
     * Returns the readable part of a malformed entry, enough to acknowledge the rejection for its
     * entity; null when the entity is unknown too.
     */
    public static @Nullable Event unreadable(long seq, Map<String, String> fields) {
        String namespace = fields.get("n");
        String entity = fields.get("e");
        if (namespace == null || entity == null) {
            return null;
        }
        String op = fields.getOrDefault("op", "");
        var key = new EntityKey(namespace, entity);
        return new Event(seq, op, "", key, "", 0, 0, List.of(), List.of(), List.of(), 0, 0, null);
    }

    /** Returns the added reactions, those that have a form with it. */
    public List<String> addedWithForms() {
        return added.stream().map(key -> RedisSchema.withForm(key, forms.get(key))).toList();
    }

    private static Map<String, String> forms(String joined) {
        var forms = new LinkedHashMap<String, String>();
        for (String item : RedisSchema.split(joined)) {
            forms.put(RedisSchema.key(item), RedisSchema.form(item));
        }
        return forms;
    }

    private static String field(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("event without member " + name);
        }
        return value;
    }

    private static long number(Map<String, String> fields, String name) {
        return Long.parseLong(field(fields, name));
    }
}
