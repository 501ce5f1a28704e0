package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A list that is paged by cursors. */
record Lists(Instance instance, String path, String items) {

    /** Requests a page; {@code query} alternates names and values. */
    Answer ask(String... query) {
        var parameters = new LinkedHashMap<String, String>();
        for (int i = 0; i < query.length; i += 2) {
            parameters.put(query[i], query[i + 1]);
        }
        return ask(parameters);
    }

    Answer ask(Map<String, String> query) {
        return instance.get(path + "?" + Instance.encode(query));
    }

    List<JsonNode> page(String... query) {
        return items(ask(query));
    }

    List<JsonNode> items(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().get(items).valueStream().toList();
    }

    List<JsonNode> all(String... query) {
        var parameters = new LinkedHashMap<String, String>();
        for (int i = 0; i < query.length; i += 2) {
            parameters.put(query[i], query[i + 1]);
        }
        var all = new ArrayList<JsonNode>();
        String cursor = "";
        while (cursor != null) {
            parameters.put("cursor", cursor);
            Answer answer = ask(parameters);
            all.addAll(items(answer));
            cursor = cursor(answer);
        }
        return all;
    }

    /** Cursor of the next page; null if there is none. */
    static String cursor(Answer answer) {
        JsonNode cursor = answer.json().get("next_cursor");
        return cursor == null ? null : cursor.stringValue();
    }
}
