package dev.ovation.openapi;

import dev.ovation.testing.ApiDocument;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.Set;

/** Puts a user into a request, as its actor or as its viewer. */
final class Actors {

    private static final Set<String> NAMES = Set.of("user_id", "viewer_id", "uid");

    private Actors() {}

    /** The same request for this user, if its operation has an actor or a viewer. */
    static Request inTheNameOf(String user, Request request, ApiDocument document) {
        Set<String> members = Requests.members(document, request.operation());
        boolean inBody =
                members.contains("operations") || members.stream().anyMatch(NAMES::contains);
        if (inBody && request.body() != null) {
            return request.with(body(request, members, user));
        }
        Request named =
                request.asking(
                        request.query().stream()
                                .map(each -> isActor(each) ? name(each) + "=" + user : each)
                                .toList());
        if (named.query().stream().anyMatch(Actors::isActor)) {
            return named;
        }
        return document.parameters(request.operation()).stream()
                .map(each -> each.get("name").stringValue())
                .filter(NAMES::contains)
                .findFirst()
                .map(each -> named.withParameter(each, user))
                .orElse(named);
    }

    private static String body(Request request, Set<String> members, String user) {
        var body = (ObjectNode) JsonMapper.shared().readTree(request.text());
        members.stream().filter(NAMES::contains).forEach(name -> body.put(name, user));
        body.path("operations").forEach(each -> ((ObjectNode) each).put("user_id", user));
        return body.toString();
    }

    private static boolean isActor(String pair) {
        return NAMES.contains(name(pair));
    }

    private static String name(String pair) {
        return pair.split("=", 2)[0];
    }
}
