package dev.ovation.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.gate.cors.Cors;
import dev.ovation.gate.cors.CorsSettings;
import dev.ovation.web.guard.IncomingCall;

import jakarta.servlet.http.HttpServletRequest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

import java.util.List;

/** Requests that count as coming from this machine. */
class LocalCallersTest {

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST", "127.0.0.1", "127.0.0.2", "[::1]"})
    void theMachineItselfIsOne(String host) {
        assertThat(isCaller(request(host), Cors.NONE)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "localhost.evil.example",
                "evil.example.localhost.",
                "192.168.0.7",
                "0.0.0.0",
                "127.0.0.1.nip.io",
                ""
            })
    void aNameThatWasMadeToPointHereIsNone(String host) {
        assertThat(isCaller(request(host), Cors.NONE)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:3000", "http://127.0.0.1", "https://[::1]:8443"})
    void aPageOfThisMachineIsOne(String origin) {
        assertThat(isCaller(with("Origin", origin), Cors.NONE)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "http://localhost.evil.example",
                "http://localhost@evil.example",
                "null",
                "",
                "file://",
                "not an origin"
            })
    void aPageOfAnotherSiteIsNone(String origin) {
        assertThat(isCaller(with("Origin", origin), Cors.NONE)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Forwarded",
                "Via",
                "X-Real-IP",
                "X-Forwarded-For",
                "X-Forwarded-Host",
                "X-Forwarded-Port",
                "X-Forwarded-Proto"
            })
    void aForwardedRequestIsNoLocalCaller(String header) {
        assertThat(isCaller(with(header, "127.0.0.1"), Cors.NONE)).isFalse();
    }

    @Test
    void aPageOfAnAllowedOriginIsOne() {
        var cors = Cors.of(new CorsSettings(List.of("https://app.example"), false));

        assertThat(isCaller(with("Origin", "https://app.example"), cors)).isTrue();
        assertThat(isCaller(with("Origin", "https://app.example.evil"), cors)).isFalse();
        assertThat(isCaller(with("Origin", "http://app.example"), cors)).isFalse();
        MockHttpServletRequest rebound = request("evil.example");
        rebound.addHeader("Origin", "https://app.example");
        assertThat(isCaller(rebound, cors)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.168.0.7", "203.0.113.9", "2001:db8::1", "127.0.0.1.nip.io", ""})
    void anAddressOfAnotherMachineIsNone(String address) {
        MockHttpServletRequest request = request("localhost");
        request.setRemoteAddr(address);

        assertThat(isCaller(request, Cors.NONE)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "0:0:0:0:0:0:0:1"})
    void everyLoopbackAddressIsOne(String address) {
        MockHttpServletRequest request = request("localhost");
        request.setRemoteAddr(address);

        assertThat(isCaller(request, Cors.NONE)).isTrue();
    }

    /** A page loads an image or a script without an Origin. */
    @Test
    void anElementOfAPageOfAnotherSiteIsNone() {
        assertThat(isCaller(with("Sec-Fetch-Site", "cross-site"), Cors.NONE)).isFalse();
        assertThat(isCaller(with("Sec-Fetch-Site", "same-origin"), Cors.NONE)).isTrue();
        assertThat(isCaller(with("Sec-Fetch-Site", "none"), Cors.NONE)).isTrue();
    }

    private static MockHttpServletRequest request(String host) {
        var request = new MockHttpServletRequest();
        request.setServerName(host);
        return request;
    }

    private static MockHttpServletRequest with(String header, String value) {
        MockHttpServletRequest request = request("localhost");
        request.addHeader(header, value);
        return request;
    }

    private static boolean isCaller(HttpServletRequest request, Cors cors) {
        return LocalCallers.isCaller(IncomingCall.of(request), cors);
    }
}
