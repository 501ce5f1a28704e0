package dev.ovation.webhook;

import dev.ovation.entity.Micros;
import dev.ovation.event.EventJson;
import dev.ovation.store.log.LogRow;
import dev.ovation.web.http.Json;
import dev.ovation.webhook.Webhook.Target;

import org.springframework.util.function.SingletonSupplier;

import tools.jackson.databind.JsonNode;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Changes as CloudEvents 1.0. A change may be several events, of different kinds. */
final class CloudEvents {

    static final String BATCH = "application/cloudevents-batch+json";

    static final String CHANGED = "changed";
    static final String FIRST = "first";
    static final String MILESTONE = "milestone";
    static final String ERASED = "erased";

    /** All kinds of events. */
    static final List<String> KINDS = List.of(CHANGED, FIRST, MILESTONE, ERASED);

    private static final String TYPE = "dev.ovation.";

    private final EventJson json;
    private final Supplier<String> source;

    /**
     * Creates the events of a service.
     *
     * @param source is read once; with the id of an event, identifies it everywhere
     */
    CloudEvents(EventJson json, Supplier<String> source) {
        this.json = json;
        this.source = SingletonSupplier.of(source);
    }

    /** Returns the events of a change that a webhook wants, in order. */
    List<Map<String, Object>> of(LogRow row, Target target) {
        if (!isWanted(row, target)) {
            return List.of();
        }
        var events = new ArrayList<Map<String, Object>>();
        if (row.kind().equals(ERASED)) {
            add(events, row, ERASED, target);
            return events;
        }
        add(events, row, CHANGED, target);
        if (row.kind().equals(FIRST)) {
            add(events, row, FIRST, target);
        }
        if (target.kinds().contains(MILESTONE) && row.user() != null) {
            long before = row.total() - net(row);
            for (long milestone : target.milestones()) {
                if (before < milestone && milestone <= row.total()) {
                    Map<String, Object> data = json.data(row);
                    data.put("milestone", milestone);
                    events.add(event(row, MILESTONE, "-milestone-" + milestone, data));
                }
            }
        }
        return events;
    }

    private static boolean isWanted(LogRow row, Target target) {
        var key = row.key();
        return target.namespaces() == null
                || key == null
                || target.namespaces().contains(key.namespace());
    }

    private void add(List<Map<String, Object>> events, LogRow row, String kind, Target target) {
        if (target.kinds().contains(kind)) {
            events.add(event(row, kind, kind.equals(FIRST) ? "-first" : "", json.data(row)));
        }
    }

    private Map<String, Object> event(
            LogRow row, String kind, String suffix, Map<String, Object> data) {
        return event(EventJson.id(row) + suffix, kind, row.at(), data);
    }

    private Map<String, Object> event(String id, String kind, long at, Map<String, Object> data) {
        var event = new LinkedHashMap<String, Object>();
        event.put("specversion", "1.0");
        event.put("id", id);
        event.put("source", source.get());
        event.put("type", TYPE + kind);
        event.put("time", Micros.text(at));
        event.put("datacontenttype", "application/json");
        event.put("data", data);
        return event;
    }

    /** Returns an event without a change. */
    Map<String, Object> test(String id) {
        return event(id, "test", Micros.now(), new LinkedHashMap<>());
    }

    /** Returns additions less removals. */
    private static long net(LogRow row) {
        try {
            JsonNode change = Json.read(row.change().getBytes(StandardCharsets.UTF_8));
            return (long) change.path("added").size() - change.path("removed").size();
        } catch (CharacterCodingException e) {
            throw new IllegalStateException(e);
        }
    }
}
