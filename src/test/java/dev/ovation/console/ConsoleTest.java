package dev.ovation.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** The files of the console, and the samples of its charts. */
@ExtendWith(TwoInstances.class)
class ConsoleTest {

    private static final Pattern NAMED =
            Pattern.compile("(?:from \"\\./|(?:src|href)=\"console/)([a-z.]+)\"");

    private static Answer get(String path, String... headers) {
        return TwoInstances.one().send("GET", path, null, headers);
    }

    @Test
    void thePageAllowsItsOwnFilesOnly() {
        Answer page = get("/console");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.headers().get("content-type")).startsWith("text/html");
        assertThat(page.headers().get("content-security-policy"))
                .contains(
                        "default-src 'none'",
                        "script-src 'self'",
                        "style-src 'self'",
                        "connect-src 'self'",
                        "frame-ancestors 'none'",
                        "require-trusted-types-for 'script'")
                .doesNotContain("unsafe");
        assertThat(page.headers()).containsEntry("referrer-policy", "no-referrer");
        assertThat(page.body())
                .contains("src=\"console/app.js\"")
                .doesNotContain("<style", "style=", "<script>", "onclick=");
    }

    @Test
    void eachFileThatIsNamedIsServed() {
        Set<String> found = files();
        assertThat(found).hasSizeGreaterThan(8).contains("console.css", "app.js", "api.js");
        for (String name : found) {
            String path = "/console/" + name;
            Answer file = get(path);
            assertThat(file.status()).as(path).isEqualTo(200);
            assertThat(file.headers().get("content-type"))
                    .startsWith(name.endsWith(".css") ? "text/css" : "text/javascript");
            assertThat(file.headers()).containsEntry("x-content-type-options", "nosniff");
            assertThat(get(path, "If-None-Match", file.headers().get("etag")).status())
                    .isEqualTo(304);
        }
    }

    @Test
    void noScriptMakesMarkupOfText() {
        for (String name : files()) {
            assertThat(get("/console/" + name).body())
                    .as(name)
                    .doesNotContain(
                            "innerHTML",
                            "outerHTML",
                            "insertAdjacentHTML",
                            "document.write",
                            "eval(",
                            "localStorage");
        }
    }

    /** The files that the page names, and those that these name. */
    private static Set<String> files() {
        var found = new HashSet<String>();
        Deque<String> open = new ArrayDeque<>(List.of("/console"));
        while (!open.isEmpty()) {
            NAMED.matcher(get(open.pop()).body())
                    .results()
                    .map(match -> match.group(1))
                    .filter(found::add)
                    .forEach(name -> open.push("/console/" + name));
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/console/", "/console/nothing.js", "/console/..%2fapp.js", "/console/a/b"})
    void otherFilesAreNotServed(String path) {
        assertThat(get(path).status()).isIn(400, 404);
    }

    @Test
    void theSeriesShowsTheWorkOfItsInstance() {
        try (Instance service =
                TwoInstances.third(
                        TwoInstances.files(), "ovation.internal.console.interval=100ms")) {
            String entity = UUID.randomUUID().toString();
            JsonNode series =
                    Wait.until(
                            "a sample has writes and their commits",
                            () -> {
                                service.add("posts", entity, "ann", "👍");
                                service.remove("posts", entity, "ann", "👍");
                                return service.get("/console/series").json();
                            },
                            json ->
                                    json.get("samples")
                                            .valueStream()
                                            .anyMatch(
                                                    each ->
                                                            each.has("write_p99_seconds")
                                                                    && each.has(
                                                                            "commit_lag_p99_seconds")));
            assertThat(series.get("interval_seconds").doubleValue()).isEqualTo(0.1);
            assertThat(series.get("samples").valueStream())
                    .anySatisfy(
                            each ->
                                    assertThat(each.get("writes_per_second").doubleValue())
                                            .isPositive());
            assertThat(series.get("instance_id").stringValue())
                    .isEqualTo(
                            service.get("/console/series").json().get("instance_id").stringValue())
                    .isNotEqualTo(get("/console/series").json().get("instance_id").stringValue());
        }
    }
}
