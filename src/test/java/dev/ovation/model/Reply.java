package dev.ovation.model;

import tools.jackson.databind.json.JsonMapper;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An answer: status and body, byte for byte; of a problem only the members that the contract fixes.
 * The model writes {@code v<change>} and {@code t<change>} for unknown versions and times.
 */
record Reply(int status, String body) {

    static final Reply NOTHING = new Reply(0, "");

    /** Uses the JSON of the older service, which escapes special characters of HTML. */
    static Reply of(int status, Map<String, Object> members) {
        String body = JsonMapper.shared().writeValueAsString(members);
        for (char special : new char[] {'&', '<', '>'}) {
            body = body.replace("" + special, "\\u00%02x".formatted((int) special));
        }
        return new Reply(status, body);
    }

    /** The problem that contains the actual state instead of the expected one. */
    static Reply failedPrecondition(Object entity) {
        var members = new LinkedHashMap<String, Object>();
        members.put("code", "precondition-failed");
        members.put("outcome", "refused");
        members.put("entity", entity);
        return of(412, members);
    }

    /** Results of the operations of a batch. */
    static Reply results(List<Reply> operations) {
        List<Object> results =
                operations.stream()
                        .map(
                                each ->
                                        each.status == 200
                                                ? each.members()
                                                : Map.of("problem", each.members()))
                        .map(Object.class::cast)
                        .toList();
        return of(200, Map.of("results", results));
    }

    private Object members() {
        return JsonMapper.shared().readTree(body);
    }

    /** The refusal by a constraint of the namespace. */
    static Reply violated(String constraint, String outcome) {
        var members = new LinkedHashMap<String, Object>();
        members.put("code", "constraint-violated");
        members.put("outcome", outcome);
        members.put("constraint", constraint);
        return of(403, members);
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
