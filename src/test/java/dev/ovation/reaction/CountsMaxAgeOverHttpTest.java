package dev.ovation.reaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.web.RawHttp;
import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** {@code ovation.http.counts-max-age} above the bound of the near cache. */
@SpringBootTest(
        classes = ReactionsTestApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"ovation.near-cache.max-age=7s", "ovation.http.counts-max-age=9s"})
class CountsMaxAgeOverHttpTest {

    @LocalServerPort int port;

    @Test
    void cachesMayServeCountsForThatLong() {
        assertThat(read("").header("Cache-Control")).isEqualTo("public, max-age=9");
    }

    @Test
    void theyMayServeNothingOfAUser() {
        assertThat(read("&viewer_id=u").header("Cache-Control")).isEqualTo("private, no-cache");
    }

    private Reply read(String more) {
        return RawHttp.get(port, "/reactions?namespace_id=namespace&entity_id=e" + more);
    }
}
