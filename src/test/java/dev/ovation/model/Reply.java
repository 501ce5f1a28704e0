package dev.ovation.model;

import tools.jackson.databind.json.JsonMapper;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An answer: status and body, byte for byte, but of a problem only what the contract fixes. Where
 * the model cannot know versions and times it writes {@code v<change>} and {@code t<change>}.
 */
record Reply(int status, String body) {

    static final Reply NOTHING = new Reply(0, "");

    /** Written as the older service wrote JSON, which escapes what HTML would. */
    static Reply of(int status, Map<String, Object> members) {
        String body = JsonMapper.shared().writeValueAsString(members);
        for (char special : new char[] {'&', '<', '>'}) {
            body = body.replace("" + special, "\\u00%02x".formatted((int) special));
        }
        return new Reply(status, body);
    }

    /** A problem; outcome, conflicting and limit may be null. */
    static Reply problem(
            int status, String code, String outcome, List<String> conflicting, Integer limit) {
        var members = new LinkedHashMap<String, Object>();
        members.put("code", code);
        members.put("outcome", outcome);
        members.put("conflicting", conflicting);
        members.put("limit", limit);
        members.values().removeIf(value -> value == null);
        return of(status, members);
    }
}
