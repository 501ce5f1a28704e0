package dev.ovation.gate;

import dev.ovation.credential.AccessSettings;
import dev.ovation.credential.Credentials;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/** Callers that the service accepts, derived from its settings. */
public enum Exposure {
    /** Callers with a credential. */
    GUARDED,
    /**
     * Callers on this machine: no credential is configured, and the address is a loopback address.
     */
    LOOPBACK,
    /** No caller: no credential is configured, and other machines could reach the service. */
    CLOSED,
    /** All callers, by an explicit setting. */
    OPEN;

    private static final List<String> ADDRESSES =
            List.of("server.address", "management.server.address", "spring.grpc.server.address");

    /** Each of them has Tomcat take the address of a caller from a header. */
    private static final List<String> REMOTE_IP =
            List.of(
                    "server.tomcat.remoteip.remote-ip-header",
                    "server.tomcat.remoteip.protocol-header");

    /** Settings that grant access, for logs and for refused callers. */
    static final String REMEDY =
            "set OVATION_ACCESS_KEYS to a file of API keys (the command `key` makes one), or"
                    + " spring.security.oauth2.resourceserver.jwt.issuer-uri and .audiences; or"
                    + " OVATION_ACCESS_MODE=open where something else guards the service";

    /** The name in health, in small letters. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The exposure by these settings.
     *
     * @throws IllegalArgumentException when they contradict each other
     */
    static Exposure of(AccessSettings settings, Credentials credentials, Environment environment) {
        return switch (settings.mode()) {
            case REQUIRED -> credentials.areConfigured() ? GUARDED : CLOSED;
            case OPEN -> {
                if (credentials.areConfigured()) {
                    throw new IllegalArgumentException(
                            "ovation.access.mode is open, but credentials are configured");
                }
                yield OPEN;
            }
            case AUTO -> {
                if (credentials.areConfigured()) {
                    yield GUARDED;
                }
                boolean own =
                        !isBehindProxy(environment)
                                && ADDRESSES.stream()
                                        .allMatch(name -> isOwn(environment.getProperty(name)));
                yield own ? LOOPBACK : CLOSED;
            }
        };
    }

    /** Whether headers of a proxy are believed, so that the address of a caller proves nothing. */
    private static boolean isBehindProxy(Environment environment) {
        if (REMOTE_IP.stream()
                .anyMatch(name -> StringUtils.hasText(environment.getProperty(name)))) {
            return true;
        }
        String strategy = environment.getProperty("server.forward-headers-strategy", "");
        if (StringUtils.hasText(strategy)) {
            return !strategy.equalsIgnoreCase("none");
        }
        CloudPlatform platform = CloudPlatform.getActive(environment);
        return platform != null && platform.isUsingForwardHeaders();
    }

    /** An address that is not set is set to a loopback one. */
    private static boolean isOwn(@Nullable String address) {
        if (!StringUtils.hasText(address)) {
            return true;
        }
        try {
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false;
        }
    }
}
