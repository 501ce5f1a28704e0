package dev.ovation.outbox.batch;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.RedisSchema;
import dev.ovation.outbox.batch.OutboxSlice.OutboxEntry;
import dev.ovation.store.EntityTable.EntityHead;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An event as {@code react.lua} writes it, with neutral default values. */
final class TestEvent {

    static final EntityKey POST = new EntityKey("posts", "1");
    static final EntityKey OTHER = new EntityKey("posts", "2");

    private final long seq;
    private final Map<String, String> fields = new LinkedHashMap<>();

    private TestEvent(long seq, String op) {
        this.seq = seq;
        with("s", Event.SCHEMA).with("op", op).with("u", "ann").with("cfg", "1");
        with("add", "").with("rem", "").with("cnt", "").with("at", "" + (1000 + seq));
        on(POST, EntityHead.NONE);
    }

    /** The first change of {@link #POST}, by ann, which adds and removes nothing yet. */
    static TestEvent event(long seq, String op) {
        return new TestEvent(seq, op);
    }

    static List<Event> events(TestEvent... all) {
        return Arrays.stream(all).map(TestEvent::event).toList();
    }

    static List<OutboxEntry> entries(TestEvent... all) {
        return Arrays.stream(all).map(TestEvent::entry).toList();
    }

    TestEvent on(EntityKey key, EntityHead base) {
        with("n", key.namespace()).with("e", key.entity()).with("base", base.op());
        return with("bv", "" + base.version()).with("v", "" + (base.version() + 1));
    }

    /** Sets the base to another event of the same entity. */
    TestEvent on(TestEvent base) {
        return on(base.event().key(), base.head());
    }

    TestEvent by(String user) {
        return with("u", user);
    }

    TestEvent add(String reaction) {
        return touch(reaction).with("add", reaction);
    }

    TestEvent remove(String reaction) {
        return touch(reaction).with("rem", reaction);
    }

    TestEvent keyed(String key) {
        return with("ik", key).with("ih", "hash").with("st", "").with("own", "");
    }

    TestEvent with(String field, String value) {
        fields.put(field, value);
        return this;
    }

    TestEvent without(String field) {
        fields.remove(field);
        return this;
    }

    private TestEvent touch(String reaction) {
        String counter = String.join(RedisSchema.SEPARATOR, reaction, "1", fields.get("at"), "0");
        String before = fields.get("cnt");
        return with("cnt", before.isEmpty() ? counter : before + RedisSchema.SEPARATOR + counter);
    }

    EntityHead head() {
        return new EntityHead(event().version(), event().op());
    }

    Event event() {
        return Event.read(seq, fields);
    }

    OutboxEntry entry() {
        return new OutboxEntry(seq, fields);
    }
}
