package dev.ovation.hot.state;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The Redis schema. All keys of partition {@code p} share the hash tag <code>{p}</code>. Only
 * scripts write, but for the key with which an epoch proves that the server takes writes.
 *
 * <table>
 * <caption>Keys</caption>
 * <tr><th>key<th>type<th>holds<th>lives<th>scripts
 * <tr><td><code>{p}:meta</code><td>hash<td>epoch, incarnation, seq (last event), acked (last event
 *     known to be committed), config (newest configuration version)<td>no TTL<td>all
 * <tr><td><code>{p}:outbox</code><td>stream<td>events, ids {@code <epoch>-<seq>}; each is one field, {@code e},
 *     with names and values of its members joined by U+001E; see {@link Event}
 *     <td>trimmed after the commit, the last applied one stays as checkpoint<td>react, ack, open,
 *     anonymize
 * <tr><td><code>{p}:c:&lt;ns&gt;:&lt;entity&gt;</code><td>hash<td>header fields epoch, since (seq at
 *     install), version, op, seq, at (of the last change), people (users with a reaction), lock (of a
 *     locked entity: the reactions that it lets pass, each between two U+001E);
 *     {@code r:<reaction>} = count, first, last
 *     <td>dirty: no TTL, clean: TTL<td>react, read, install, install_users, ack, sweep
 * <tr><td><code>{p}:u:&lt;ns&gt;:&lt;entity&gt;</code><td>hash<td>header fields epoch, since, complete
 *     (0 or 1); {@code u:<user>} = seq of the user's last change in this epoch, reactions; where
 *     constraints need it, U+001C and the time of the user's last reaction follow the seq; {@code l:<user>} =
 *     token and end of the lease of a look-up, filter = id of the filter (partial hashes)<td>the same<td>the same,
 *     fill_filter
 * <tr><td><code>{p}:b:&lt;ns&gt;:&lt;entity&gt;</code><td>string<td>filter of a partial user hash: a header
 *     of 128 bytes, then 8,192 to 262,144 words of 64 bits; 4 bits in one word for each user who may have a
 *     reaction<td>as the user hash; removed with it<td>react, read, install, install_users, ack,
 *     sweep, fill_filter
 * <tr><td><code>{p}:l:&lt;ns&gt;:&lt;entity&gt;</code><td>string<td>lease: token of its holder
 *     <td>milliseconds; removed whenever the entity is<td>react, read, install,
 *     install_users, release, ack
 * <tr><td><code>{p}:i:&lt;ns&gt;:&lt;user&gt;:&lt;key&gt;</code><td>string<td>request, epoch and seq of
 *     the change in flight with this idempotency key<td>milliseconds<td>react
 * </table>
 *
 * <p>Dirty means changed here and not yet committed in Postgres; such keys carry no TTL, and clean
 * ones must carry one: under a {@code volatile-*} policy Redis then evicts only clean entities. A
 * missing key or field means unknown, never zero; in a complete user hash alone a missing user has
 * no reactions. A hash with another epoch than meta's is a miss.
 *
 * <p>The header of a filter is text, padded with spaces: form, state, epoch, number of words, seq
 * at its beginning, time of the last step (ms), id; {@code prelude.lua} describes the states. A
 * filter counts as missing unless its form is 1, its epoch is the present one, and its id is the
 * one that the user hash names. A complete filter proves that a user whose bits are not all set has
 * no reaction, unless the user hash has the user. Each change that adds a reaction to a partial
 * entity sets the bits of its user, or removes the filter.
 *
 * <p>A user's reaction is its key. Where a set counts all skin tones as one, U+001C and the emoji
 * with its tones follow. Items of a list inside a value are separated by U+001F. Ids cannot contain
 * it, nor any other control character. A namespace has no colon, so that keys of two entities never
 * meet.
 *
 * <p>The scripts react, read, ack and progress make the names of their keys themselves. The others
 * get them.
 */
public final class RedisSchema {

    /** Separates the items of a list inside a value. */
    public static final String SEPARATOR = "\u001f";

    /** Separates lists inside an argument or an answer of a script. */
    public static final String PART = "\u001e";

    /** Ends each item of an argument of a script that holds many. */
    public static final char END = '\u001d';

    private static final char US = '\u001f';
    private static final char FORM = '\u001c';

    /** The header field of a locked entity. */
    public static final String LOCK = "lock";

    /** Starts the name of a counter's field; no header field starts with it. */
    public static final String COUNTER = "r:";

    private RedisSchema() {}

    public static String meta(int p) {
        return "{" + p + "}:meta";
    }

    public static String outbox(int p) {
        return "{" + p + "}:outbox";
    }

    public static String counts(int p, EntityKey key) {
        return name(p, 'c', key);
    }

    public static String users(int p, EntityKey key) {
        return name(p, 'u', key);
    }

    public static String lease(int p, EntityKey key) {
        return name(p, 'l', key);
    }

    public static String filter(int p, EntityKey key) {
        return name(p, 'b', key);
    }

    /** The keys of a script that writes a whole entity, in its order. */
    public static String[] entity(int p, EntityKey key) {
        return new String[] {meta(p), counts(p, key), users(p, key), lease(p, key), filter(p, key)};
    }

    /** Returns the key of the request in flight with this idempotency key. */
    public static String inHand(int p, String namespace, String user, String key) {
        return "{" + p + "}:i:" + namespace + ':' + user + SEPARATOR + key;
    }

    /**
     * Returns a reaction of a user as it is in lists: its key, and behind U+001C its form, if it
     * has one.
     */
    public static String withForm(String key, @Nullable String form) {
        return form == null ? key : key + FORM + form;
    }

    /** Returns the key of a reaction of a user. */
    public static String key(String item) {
        int end = item.indexOf(FORM);
        return end < 0 ? item : item.substring(0, end);
    }

    /** Returns the form of a reaction of a user; its key when it has none. */
    public static String form(String item) {
        return item.substring(item.indexOf(FORM) + 1);
    }

    /** Joins the items of a list. */
    public static String join(List<String> items) {
        return String.join(SEPARATOR, items);
    }

    /**
     * Returns the end of the value of a user's field, behind the seq: the reactions, preceded by
     * the time of the newest one where it is needed.
     *
     * @param lastReactedAt microseconds since 1970; null when it is not needed
     */
    public static String userValue(List<String> reactions, @Nullable Long lastReactedAt) {
        return (lastReactedAt == null ? "" : FORM + Long.toString(lastReactedAt))
                + SEPARATOR
                + join(reactions);
    }

    /** Splits a joined list. */
    public static List<String> split(String list) {
        if (list.isEmpty()) {
            return List.of();
        }
        var items = new ArrayList<String>();
        int from = 0;
        for (int to = list.indexOf(US); to >= 0; to = list.indexOf(US, from)) {
            items.add(list.substring(from, to));
            from = to + 1;
        }
        items.add(list.substring(from));
        return Collections.unmodifiableList(items);
    }

    /**
     * Reads the field of a counter.
     *
     * @param value the three items of its value
     */
    public static Counter counter(String field, List<String> value) {
        return new Counter(
                field.substring(COUNTER.length()),
                Long.parseLong(value.get(0)),
                Long.parseLong(value.get(1)),
                Long.parseLong(value.get(2)));
    }

    /** The value of a counter's field. */
    public static String value(Counter counter) {
        return counter.count() + SEPARATOR + counter.firstAt() + SEPARATOR + counter.lastAt();
    }

    /**
     * Reads a joined, flat list of reaction, count, first, last.
     *
     * @throws IllegalArgumentException when the list is malformed
     */
    public static List<Counter> counters(String flat) {
        List<String> items = split(flat);
        if (items.size() % 4 != 0) {
            throw new IllegalArgumentException("not a list of counters");
        }
        var counters = new ArrayList<Counter>(items.size() / 4);
        for (int i = 0; i < items.size(); i += 4) {
            counters.add(
                    new Counter(
                            items.get(i),
                            Long.parseLong(items.get(i + 1)),
                            Long.parseLong(items.get(i + 2)),
                            Long.parseLong(items.get(i + 3))));
        }
        return counters;
    }

    /** Returns the partition of a key; -1 for a key of another form. */
    public static int partition(String key) {
        int end = key.indexOf('}');
        String tag = end < 0 ? "" : key.substring(1, end);
        return tag.matches("\\d{1,9}") ? Integer.parseInt(tag) : -1;
    }

    /** Returns the part of an entity's keys that names it. */
    public static String name(EntityKey key) {
        return key.namespace() + ':' + key.entity();
    }

    private static String name(int p, char kind, EntityKey key) {
        return "{" + p + "}:" + kind + ':' + name(key);
    }
}
