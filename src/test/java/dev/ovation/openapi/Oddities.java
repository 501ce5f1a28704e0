package dev.ovation.openapi;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Unusual parts of requests, from a seed. */
final class Oddities {

    private static final String LONG = "é".repeat(200);

    /** Query parameters in raw form. */
    private static final List<String> PARAMETERS =
            List.of(
                    "",
                    "%",
                    "%z",
                    "%zz",
                    "%00",
                    "%0A",
                    "%7F",
                    "%C2%85",
                    "%ff",
                    "%ED%A0%80",
                    "%F0%9F%91",
                    "+",
                    "%20",
                    "TRUE",
                    "1",
                    "-1",
                    "0",
                    "1e3",
                    "99999999999999999999",
                    "null",
                    "[]",
                    "{}",
                    "'",
                    "👍",
                    "%F0%9F%91%8D",
                    "x".repeat(257),
                    LONG,
                    "x".repeat(20_000),
                    "..%2F..",
                    "a;b=c",
                    "a=b=c");

    private static final List<String> VALUES =
            List.of(
                    "null",
                    "true",
                    "0",
                    "-1",
                    "1.5",
                    "1e400",
                    "123456789012345678901234567890",
                    "\"\"",
                    "\" \"",
                    "[]",
                    "[[]]",
                    "[null]",
                    "[\"\"]",
                    "{}",
                    "{\"entity_id\":7}",
                    "[{}]",
                    "[{\"entity_id\":null}]",
                    "\"\\u0000\"",
                    "\"\\u009f\"",
                    "\"UNPAIRED\"",
                    "\"" + "x".repeat(257) + "\"",
                    "\"" + LONG + "\"");

    private static final List<String> BODIES =
            List.of(
                    "",
                    " ",
                    "null",
                    "true",
                    "7",
                    "\"\"",
                    "[]",
                    "{",
                    "}",
                    "{}",
                    "{}{}",
                    "{\"a\":1",
                    "{\"a\":1,\"a\":2}",
                    "{'a':1}",
                    "{\"a\":NaN}",
                    "{\"a\":01}",
                    "\ufeff{}",
                    "a=b",
                    "<a/>",
                    "--b\r\n\r\n--b--",
                    "&a *a",
                    "a: [",
                    "? a",
                    "!!java.net.URL [x]",
                    "{\"a\":\"\t\"}",
                    "{\"a\":\"\\x\"}",
                    "\u0000");

    private static final List<String> HEADERS =
            List.of(
                    "Content-Type",
                    "Content-Encoding",
                    "Accept",
                    "Accept-Language",
                    "Prefer",
                    "Idempotency-Key",
                    "If-None-Match",
                    "If-Match",
                    "If-Modified-Since",
                    "Range",
                    "Expect",
                    "Origin",
                    "X-HTTP-Method-Override",
                    "X-Forwarded-Host",
                    "Cookie",
                    "Forwarded",
                    "Upgrade");

    private static final List<String> HEADER_VALUES =
            List.of(
                    "",
                    "x",
                    "*",
                    "*/*",
                    ";;;",
                    "a/b; c",
                    "image/png",
                    "application/gzip",
                    "gzip",
                    "text/plain; charset=utf-16",
                    "application/json; charset=nonsense",
                    "bytes=9-1",
                    "return=representation; x=\"",
                    "\"",
                    "W/\"",
                    "a b",
                    "x".repeat(300),
                    "DELETE",
                    "q=nonsense;q=2",
                    "-1",
                    "a=b; c",
                    "100-continue",
                    "for=\"_x",
                    "\u00ff👍");

    private static final JsonMapper JSON = JsonMapper.shared();

    private final SplittableRandom random;

    Oddities(long seed) {
        random = new SplittableRandom(seed);
    }

    <T> T one(List<T> many) {
        return many.get(random.nextInt(many.size()));
    }

    /** The raw value of a parameter. */
    String odd() {
        return one(PARAMETERS);
    }

    JsonNode value() {
        return JSON.readTree(one(VALUES));
    }

    String text() {
        return one(BODIES) + one(VALUES);
    }

    /** Another body, or the same with one character removed, added or changed. */
    String body(String body) {
        if (body.isEmpty() || random.nextBoolean()) {
            return one(BODIES);
        }
        int at = random.nextInt(body.length());
        String rest = body.substring(at + 1);
        return switch (random.nextInt(3)) {
            case 0 -> body.substring(0, at);
            case 1 -> body.substring(0, at) + rest;
            default -> body.substring(0, at) + one(List.of("\"", "{", ",", "\\", "0")) + rest;
        };
    }

    String header() {
        return one(HEADERS);
    }

    String headerValue() {
        return one(HEADER_VALUES);
    }

    String method() {
        return one(List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"));
    }

    String path(String path) {
        return one(
                List.of(
                        path + "/",
                        "/" + path,
                        path + ";a=b",
                        path + "%2F",
                        path + "%00",
                        path + "/..",
                        path.toUpperCase(Locale.ROOT),
                        path + ".json",
                        path + "/%F0%9F%91%8D"));
    }
}
