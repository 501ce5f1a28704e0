package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A list that goes on by cursors. */
record Lists(Instance instance, String path, String items) {

    /** Asks for a page; {@code query} alternates names and values. */
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

    /** The items of one page. */
    List<JsonNode> page(String... query) {
        return items(ask(query));
    }

    List<JsonNode> items(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().get(items).valueStream().toList();
    }

    /** The items of all pages. */
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

    /** Where the next page begins; null when there is none. */
    static String cursor(Answer answer) {
        JsonNode cursor = answer.json().get("next_cursor");
        return cursor == null ? null : cursor.stringValue();
    }
}
