package dev.ovation.webhook.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;

class WebhookUrlTest {

    @Test
    void aUrlHasAHostAPortAndAPath() {
        var url = WebhookUrl.of("https://Example.com:8443/a%20b?c=d", false);

        assertThat(url)
                .isEqualTo(
                        new WebhookUrl(
                                true, "Example.com", 8443, "Example.com:8443", "/a%20b?c=d"));
        assertThat(WebhookUrl.of("https://example.com", false))
                .isEqualTo(new WebhookUrl(true, "example.com", 443, "example.com", "/"));
        assertThat(WebhookUrl.of("https://[2606:4700::1]/", false).host())
                .isEqualTo("2606:4700::1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.com/",
                "ftp://example.com/",
                "file:///etc/passwd",
                "example.com",
                "https:example.com",
                "https:///path",
                "https://user:password@example.com/",
                "https://example.com/#fragment",
                "https://exa mple.com/",
                "https://example.com/\r\nHost: other",
                "https://bücher.example/",
                "https://example.com:99999999999/"
            })
    void otherUrlsAreRefused(String url) {
        assertThatThrownBy(() -> WebhookUrl.of(url, false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void httpIsAllowedWhereTheSettingAllowsIt() throws UnknownHostException {
        var url = WebhookUrl.of("http://127.0.0.1/", true);
        assertThat(url.port()).isEqualTo(80);
        assertThat(url.allowed(true)).isEqualTo(InetAddress.getByName("127.0.0.1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://localhost/",
                "https://127.0.0.1/",
                "https://[::1]/",
                "https://[::ffff:127.0.0.1]/",
                "https://169.254.169.254/latest/meta-data",
                "https://10.1.2.3/"
            })
    void aHostWithoutAPublicAddressIsRefused(String url) {
        assertThatThrownBy(() -> WebhookUrl.of(url, false).resolve(false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not allowed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.255.255.255",
                "100.64.0.1",
                "100.127.255.255",
                "127.255.0.1",
                "169.254.0.1",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.1",
                "192.0.2.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.7",
                "224.0.0.1",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:10.0.0.1",
                "64:ff9b::7f00:1",
                "fc00::1",
                "fdff::1",
                "fe80::1",
                "ff02::1",
                "2001::1",
                "2001:db8::1",
                "2002:7f00:1::",
                "3fff::1"
            })
    void specialAddressesAreNotPublic(String address) throws UnknownHostException {
        assertThat(PublicAddresses.isPublic(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.1",
                "100.63.255.255",
                "100.128.0.1",
                "172.15.255.255",
                "172.32.0.1",
                "192.167.255.255",
                "192.169.0.1",
                "198.17.255.255",
                "198.20.0.1",
                "223.255.255.255",
                "2606:4700:4700::1111",
                "2a00:1450:4001::1",
                "2003::1"
            })
    void otherAddressesArePublic(String address) throws UnknownHostException {
        assertThat(PublicAddresses.isPublic(InetAddress.getByName(address))).isTrue();
    }
}
