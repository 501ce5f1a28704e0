package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** A consumer of {@code GET /events} that keeps its cursor, from the end of the log on. */
final class Events {

    private final Instance service;
    private final String namespace;
    private final String[] headers;
    private String cursor = "";

    /** Begins after all changes that are committed now. */
    Events(Instance service, String namespace, String... headers) {
        this.service = service;
        this.namespace = namespace;
        this.headers = headers;
        var _ = rest();
    }

    String cursor() {
        return cursor;
    }

    Answer ask(String cursor, int wait) {
        var query = new LinkedHashMap<String, String>();
        if (!namespace.isEmpty()) {
            query.put("namespace_id", namespace);
        }
        query.put("cursor", cursor);
        query.put("limit", "7");
        query.put("wait", Integer.toString(wait));
        return service.send("GET", "/events?" + Instance.encode(query), null, headers);
    }

    /** The next page. */
    List<JsonNode> page(int wait) {
        Answer answer = ask(cursor, wait);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        cursor = answer.json().get("next_cursor").stringValue();
        return answer.json().get("events").valueStream().toList();
    }

    /** All events until two pages in a row are empty and leave the cursor. */
    List<JsonNode> rest() {
        var all = new ArrayList<JsonNode>();
        String before;
        do {
            before = cursor;
            all.addAll(page(0));
        } while (!before.equals(cursor));
        return all;
    }

    /** Reads until there are so many events. */
    List<JsonNode> next(int count) {
        var all = new ArrayList<JsonNode>();
        Wait.until(
                count + " events",
                () -> {
                    all.addAll(page(1));
                    return all.size() >= count;
                });
        assertThat(all).hasSize(count);
        return all;
    }
}
