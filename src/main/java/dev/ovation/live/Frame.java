package dev.ovation.live;

import dev.ovation.entity.EntityKey;
import dev.ovation.reaction.CommittedViews.CommittedView;
import dev.ovation.reaction.view.EntityView;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** One committed state of an entity as the event that all its watchers share. Immutable. */
final class Frame {

    private static final byte[] DATA = bytes("data: ");
    private static final byte[] SNAPSHOT = bytes("event: snapshot\n");
    private static final byte[] CHANGE = bytes("event: change\n");
    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final EntityKey key;
    private final String state;
    private final long mark;
    private final byte[] data;
    private final LiveStreams.StreamedView shown;

    /** The next message of a stream. */
    sealed interface StreamEvent {

        /** Returns the event as {@code text/event-stream} has it. */
        byte[] bytes();
    }

    /**
     * A text that is no state.
     *
     * @param end the end of the stream, where the text announces it; otherwise null
     */
    record StreamNotice(String text, LiveStreams.@Nullable StreamEnd end) implements StreamEvent {
        @Override
        public byte[] bytes() {
            return Frame.bytes(text);
        }
    }

    /**
     * A state of an entity.
     *
     * @param first whether it is the first one of the entity
     * @param mark id of the event
     */
    record StateEvent(Frame frame, boolean first, String mark) implements StreamEvent {
        @Override
        public byte[] bytes() {
            return frame.event(first, mark);
        }
    }

    /**
     * Creates an event.
     *
     * @param state greater for a newer state of the entity
     * @param mark identifies the content for a client that resumes
     * @param data line of the event, with its end
     * @param shown the state as streams of other protocols show it
     */
    Frame(EntityKey key, String state, long mark, byte[] data, EntityView shown) {
        this.key = key;
        this.state = state;
        this.mark = mark;
        this.data = data;
        this.shown = new LiveStreams.StreamedView(shown);
    }

    EntityKey key() {
        return key;
    }

    String state() {
        return state;
    }

    long mark() {
        return mark;
    }

    LiveStreams.StreamedView shown() {
        return shown;
    }

    /**
     * Creates the event of a view.
     *
     * @param viewer user of the stream, who was asked for; null for none
     */
    static Frame of(CommittedView view, @Nullable String viewer) {
        byte[] json = viewer == null ? view.json() : view.json(viewer);
        byte[] data = Arrays.copyOf(DATA, DATA.length + json.length + 1);
        System.arraycopy(json, 0, data, DATA.length, json.length);
        data[data.length - 1] = '\n';
        String version = viewer == null ? view.version() : view.version(viewer);
        return new Frame(
                view.key(), view.state(), mark(view.key(), version), data, view.shown(viewer));
    }

    /** Returns the event for one stream. */
    byte[] event(boolean first, String id) {
        byte[] name = first ? SNAPSHOT : CHANGE;
        byte[] end = bytes("id: " + id + "\n\n");
        byte[] event = Arrays.copyOf(name, name.length + data.length + end.length);
        System.arraycopy(data, 0, event, name.length, data.length);
        System.arraycopy(end, 0, event, name.length + data.length, end.length);
        return event;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** FNV-1a of entity and version, mixed, so that marks of a set can be joined by XOR. */
    private static long mark(EntityKey key, String version) {
        long hash = FNV_BASIS;
        for (byte each : bytes(key.namespace() + ':' + key.entity() + '\n' + version)) {
            hash = (hash ^ (each & 0xff)) * FNV_PRIME;
        }
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }
}
