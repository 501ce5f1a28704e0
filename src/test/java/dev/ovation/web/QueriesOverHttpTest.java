package dev.ovation.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.web.RawHttp.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import tools.jackson.databind.json.JsonMapper;

@SpringBootTest(classes = WebTestApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class QueriesOverHttpTest {

    @LocalServerPort int port;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "topic_0_3/17",
                "a:b;c",
                "{x|y}",
                "[..]^`",
                "back\\slash",
                "%",
                "👩‍💻",
                "❤️",
                "Ünïcödé",
                "x=y",
                "quo\"te",
                "a?b",
                "ß@~!$'()*,"
            })
    void rawCharactersOfOlderClientsAreAccepted(String id) {
        String raw = id.equals("%") ? "%25" : id;

        assertThat(answered(raw)).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource({
        "%F0%9F%91%8D,     👍",
        "%f0%9f%91%8d,     👍",
        "a+b,              a b",
        "a%20b,            a b",
        "a%2Bb,            a+b",
        "a%26b%3Dc,        a&b=c",
        "👍%F0%9F%91%8D👍, 👍👍👍",
        "'',               ''"
    })
    void encodedCharactersAreDecoded(String raw, String text) {
        assertThat(answered(raw)).isEqualTo(text);
    }

    @Test
    void aParameterWithoutAValueIsEmpty() {
        Reply reply = RawHttp.get(port, "/echo/query?&text&&other=%41");

        assertThat(reply.body()).isEqualTo("{\"text\":\"\"}");
    }

    @Test
    void aParameterGivenTwiceIsNamed() {
        assertThat(RawHttp.get(port, "/echo/query?text=1&te%78t=2").body())
                .contains("[{\"field\":\"text\",\"message\":\"is given more than once\"}]");
    }

    @Test
    void everyBrokenParameterIsNamed() {
        assertThat(RawHttp.get(port, "/echo/query?a=%zz&b=%ff&%=1").body())
                .contains(
                        "\"violations\":["
                                + "{\"field\":\"a\",\"message\":\"is not percent-encoded UTF-8\"},"
                                + "{\"field\":\"b\",\"message\":\"is not percent-encoded UTF-8\"},"
                                + "{\"field\":\"query\",\"message\":\"has a parameter name that is"
                                + " not percent-encoded UTF-8\"}]");
    }

    @Test
    void rawBytesThatAreNotUtf8AreNamed() {
        byte[] request = RawHttp.head("GET", "/echo/query?text=X").concat("\r\n").getBytes();
        for (int i = 0; i < request.length; i++) {
            request[i] = request[i] == 'X' ? (byte) 0xff : request[i];
        }

        assertThat(RawHttp.exchange(port, request).body())
                .contains("[{\"field\":\"text\",\"message\":\"is not percent-encoded UTF-8\"}]");
    }

    @Test
    void theSameIsUnderstoodThroughHttp2() {
        assertThat(Http2Client.get(port, "/echo/query?text=👍:/%F0%9F%91%8D").body())
                .isEqualTo("{\"text\":\"👍:/👍\"}");
    }

    private String answered(String raw) {
        Reply reply = RawHttp.get(port, "/echo/query?text=" + raw);
        assertThat(reply.status()).isEqualTo(200);
        return new JsonMapper().readTree(reply.body()).get("text").stringValue();
    }
}
