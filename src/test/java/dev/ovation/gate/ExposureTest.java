package dev.ovation.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.access.Principal;
import dev.ovation.credential.AccessSettings;
import dev.ovation.credential.Credentials;
import dev.ovation.credential.TestKeys;
import dev.ovation.gate.cors.Cors;
import dev.ovation.web.guard.IncomingCall;
import dev.ovation.web.guard.Unlimited;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.mock.web.MockHttpServletRequest;

import java.nio.file.Path;

/** Exposure of the service by its settings. */
class ExposureTest {

    @TempDir Path folder;

    @ComponentScan("dev.ovation.credential")
    static class Configured {}

    @ParameterizedTest
    @CsvSource({
        "auto,     '',   '',        '',        LOOPBACK",
        "auto,     '',   127.0.0.1, '',        LOOPBACK",
        "auto,     '',   ::1,       '',        LOOPBACK",
        "auto,     '',   0.0.0.0,   '',        CLOSED",
        "auto,     '',   '',        0.0.0.0,   CLOSED",
        "auto,     '',   127.0.0.1, 10.0.0.1,  CLOSED",
        "auto,     keys, 0.0.0.0,   '',        GUARDED",
        "auto,     keys, '',        '',        GUARDED",
        "required, '',   '',        '',        CLOSED",
        "required, keys, '',        '',        GUARDED",
        "open,     '',   0.0.0.0,   '',        OPEN",
    })
    void followsFromTheSettings(
            String mode, String keys, String server, String management, Exposure expected) {
        run(
                mode,
                keys,
                (settings, credentials) -> {
                    var environment =
                            new MockEnvironment()
                                    .withProperty("server.address", server)
                                    .withProperty("management.server.address", management);

                    assertThat(Exposure.of(settings, credentials, environment)).isEqualTo(expected);
                });
    }

    @ParameterizedTest
    @CsvSource({
        "server.forward-headers-strategy,              native,            CLOSED",
        "server.forward-headers-strategy,              framework,         CLOSED",
        "server.forward-headers-strategy,              none,              LOOPBACK",
        "server.tomcat.remoteip.remote-ip-header,      X-Forwarded-For,   CLOSED",
        "server.tomcat.remoteip.protocol-header,       X-Forwarded-Proto, CLOSED",
    })
    void headersOfAProxyThatAreBelievedCloseIt(String name, String value, Exposure expected) {
        run(
                "auto",
                "",
                (settings, credentials) ->
                        assertThat(
                                        Exposure.of(
                                                settings,
                                                credentials,
                                                new MockEnvironment().withProperty(name, value)))
                                .isEqualTo(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void anEmptyAddressIsBoundToTheLoopbackOne(String address) {
        run(
                "auto",
                "",
                (settings, credentials) -> {
                    var factory = new TomcatServletWebServerFactory();
                    var environment = new MockEnvironment().withProperty("server.address", address);
                    Exposure exposure = Exposure.of(settings, credentials, environment);

                    GateConfiguration.bind(
                            factory,
                            new Authentication(exposure, credentials, settings, new Unlimited()),
                            environment,
                            "server.address");

                    assertThat(factory.getAddress().isLoopbackAddress()).isTrue();
                });
    }

    @Test
    void openWithKeysIsAContradiction() {
        run(
                "open",
                "keys",
                (settings, credentials) ->
                        assertThatThrownBy(
                                        () ->
                                                Exposure.of(
                                                        settings,
                                                        credentials,
                                                        new MockEnvironment()))
                                .hasMessageContaining("ovation.access.mode"));
    }

    @Test
    void aClosedServiceNamesTheSettingToChange() {
        run(
                "required",
                "",
                (settings, credentials) -> {
                    var entrance =
                            new Authentication(
                                    Exposure.CLOSED, credentials, settings, new Unlimited());
                    Principal caller =
                            entrance.caller(
                                    IncomingCall.of(new MockHttpServletRequest()), Cors.NONE);

                    assertThat(caller.isAnonymous()).isTrue();
                    assertThat(caller.reason()).contains("OVATION_ACCESS_KEYS");
                });
    }

    @ParameterizedTest
    @CsvSource({"cross-site, true", "same-origin, false", "none, false"})
    void anOpenServiceGrantsNoRightsToPagesOfOtherSites(String site, boolean isRefused) {
        run(
                "open",
                "",
                (settings, credentials) -> {
                    var entrance =
                            new Authentication(
                                    Exposure.OPEN, credentials, settings, new Unlimited());
                    var request = new MockHttpServletRequest();
                    request.addHeader("Sec-Fetch-Site", site);

                    assertThat(entrance.caller(IncomingCall.of(request), Cors.NONE).isAnonymous())
                            .isEqualTo(isRefused);
                });
    }

    private interface Check {
        void check(AccessSettings settings, Credentials credentials);
    }

    private void run(String mode, String keys, Check check) {
        String file = "";
        if (!keys.isEmpty()) {
            file = new TestKeys(folder.resolve("keys.yaml")).file().toString();
        }
        new ApplicationContextRunner()
                .withUserConfiguration(Configured.class)
                .withPropertyValues("ovation.access.mode=" + mode, "ovation.access.keys=" + file)
                .run(
                        context ->
                                check.check(
                                        context.getBean(AccessSettings.class),
                                        context.getBean(Credentials.class)));
    }
}
