package dev.ovation.openapi;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Ways to break a valid request. */
enum Breakage {
    A_PARAMETER_IS_LEFT_OUT((request, any) -> request.asking(without(request.query(), any))),
    A_PARAMETER_IS_ODD(
            (request, any) ->
                    request.asking(
                            with(without(request.query(), any), name(request, any) + any.odd()))),
    A_PARAMETER_COMES_TWICE(
            (request, any) -> request.asking(with(request.query(), name(request, any) + "x"))),
    A_MEMBER_IS_LEFT_OUT(
            (request, any) -> body(request, any, (object, name) -> object.remove(name))),
    A_MEMBER_IS_ODD(
            (request, any) -> body(request, any, (object, name) -> object.set(name, any.value()))),
    THE_BODY_IS_ODD((request, any) -> request.with(any.body(request.text()))),
    THE_BODY_IS_NOT_UTF_8(
            (request, any) -> request.with(any.text().getBytes(StandardCharsets.UTF_16))),
    THE_BODY_IS_DEEP((request, any) -> request.with("[{\"a\":".repeat(10_000))),
    THE_BODY_IS_LARGE((request, any) -> request.with("{\"a\":\"" + "x".repeat(200_000) + "\"}")),
    A_HEADER_IS_ODD((request, any) -> request.withHeader(any.header(), any.headerValue())),
    THE_METHOD_IS_ANOTHER((request, any) -> request.at(any.method(), request.path())),
    THE_PATH_IS_ANOTHER((request, any) -> request.at(request.method(), any.path(request.path())));

    private static final JsonMapper JSON = JsonMapper.shared();

    private final Way way;

    private interface Way {
        Request spoil(Request request, Oddities any);
    }

    private interface Change {
        void make(ObjectNode object, String member);
    }

    Breakage(Way way) {
        this.way = way;
    }

    Request spoil(Request request, Oddities any) {
        return way.spoil(request, any);
    }

    private static List<String> with(List<String> query, String pair) {
        var more = new ArrayList<>(query);
        more.add(pair);
        return more;
    }

    private static List<String> without(List<String> query, Oddities any) {
        var fewer = new ArrayList<>(query);
        if (!fewer.isEmpty()) {
            fewer.remove(any.one(query));
        }
        return fewer;
    }

    /** Name of a parameter, with an equals sign. */
    private static String name(Request request, Oddities any) {
        return request.query().isEmpty()
                ? "namespace_id="
                : any.one(request.query()).split("=", 2)[0] + "=";
    }

    private static Request body(Request request, Oddities any, Change change) {
        ObjectNode object = object(request.text());
        if (object == null) {
            return request.with(any.body(request.text()));
        }
        List<String> names = List.copyOf(object.propertyNames());
        change.make(object, names.isEmpty() ? "namespace_id" : any.one(names));
        // An unpaired surrogate can only be written as an escape.
        return request.with(object.toString().replace("UNPAIRED", "\\ud83d"));
    }

    /** Null unless the body is one JSON object. */
    private static ObjectNode object(String body) {
        try {
            return JSON.readTree(body) instanceof ObjectNode object ? object : null;
        } catch (JacksonException e) {
            return null;
        }
    }
}
