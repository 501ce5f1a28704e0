package dev.ovation.event;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.entity.Micros;
import dev.ovation.store.log.LogRow;
import dev.ovation.web.http.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Events as consumers see them. */
public final class EventJson {

    private final CurrentRules rules;

    EventJson(CurrentRules rules) {
        this.rules = rules;
    }

    /** Returns the id of the event of a row; the same in each read. */
    public static String id(LogRow row) {
        return row.p() + "-" + row.position();
    }

    /**
     * Returns the members of the event of a row, without its id, time and kind. Reactions are
     * spelled as the rules spell them now.
     */
    public Map<String, Object> data(LogRow row) {
        var json = new LinkedHashMap<String, Object>();
        EntityKey key = row.key();
        if (key != null) {
            json.put("namespace_id", key.namespace());
            json.put("entity_id", key.entity());
        }
        if (row.user() != null) {
            json.put("user_id", row.user());
        }
        if (key != null) {
            RulesInForce current = rules.current();
            JsonNode change = parsed(row.change());
            json.put("added", names(change.path("added"), current));
            json.put("removed", names(change.path("removed"), current));
            json.put("reactions_count", counts(change.path("counts"), current));
            json.put("total", row.total());
            json.put("version", "%010d.%012d".formatted(row.epoch(), row.version()));
        }
        return json;
    }

    /** Returns the event of a row: {@code changed} or {@code erased}. */
    public Map<String, Object> event(LogRow row) {
        var json = new LinkedHashMap<String, Object>();
        json.put("id", id(row));
        json.put("time", Micros.text(row.at()));
        json.put("kind", row.kind().equals("erased") ? "erased" : "changed");
        if (row.kind().equals("first")) {
            json.put("first", true);
        }
        json.putAll(data(row));
        return json;
    }

    private static List<String> names(JsonNode keys, RulesInForce current) {
        return keys.valueStream().map(key -> current.spelling(key.asString())).toList();
    }

    private static List<Object> counts(JsonNode counts, RulesInForce current) {
        var json = new ArrayList<Object>();
        counts.forEachEntry((key, count) -> json.add(count(current.spelling(key), count)));
        return json;
    }

    private static Map<String, Object> count(String reaction, JsonNode count) {
        var json = new LinkedHashMap<String, Object>();
        json.put("reaction_id", reaction);
        json.put("count", count.asLong());
        return json;
    }

    private static JsonNode parsed(@Nullable String change) {
        try {
            return Json.read(String.valueOf(change).getBytes(StandardCharsets.UTF_8));
        } catch (CharacterCodingException e) {
            throw new IllegalStateException(e);
        }
    }
}
