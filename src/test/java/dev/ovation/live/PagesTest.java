package dev.ovation.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(TwoInstances.class)
class PagesTest {

    private static final int MOST_BYTES = 12 * 1024;

    @Test
    void theComponentIsSmallAsItIsServed() {
        Answer script = get("/ovation.js", "Accept-Encoding", "gzip");
        assertThat(script.headers()).containsEntry("content-encoding", "gzip");
        assertThat(Integer.parseInt(script.headers().get("content-length")))
                .isBetween(1, MOST_BYTES);
        assertThat(script.body()).contains("customElements.define(\"ovation-reactions\"");
    }

    @Test
    void theComponentNeedsNoInlineStyleAndNoMarkupFromText() {
        assertThat(get("/ovation.js").body())
                .contains("adoptedStyleSheets")
                .doesNotContain("innerHTML", ".style", "eval(", "import \"");
    }

    @Test
    void theDemoAllowsItsOwnFilesOnly() {
        Answer page = get("/demo");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.headers().get("content-security-policy"))
                .contains("default-src 'none'", "script-src 'self'", "style-src 'self'")
                .doesNotContain("unsafe");
        assertThat(page.body())
                .contains("src=\"ovation.js\"")
                .doesNotContain("<style", "style=", "<script>", "onclick");
    }

    @ParameterizedTest
    @CsvSource({
        "/ovation.js, text/javascript",
        "/demo, text/html",
        "/demo/page.js, text/javascript",
        "/demo/page.css, text/css"
    })
    void eachFileHasItsTypeAndATag(String path, String type) {
        Answer file = get(path);
        assertThat(file.headers().get("content-type")).startsWith(type);
        assertThat(file.headers()).containsEntry("x-content-type-options", "nosniff");
        assertThat(get(path, "If-None-Match", file.headers().get("etag")).status()).isEqualTo(304);
    }

    private static Answer get(String path, String... headers) {
        return TwoInstances.one().send("GET", path, null, headers);
    }
}
