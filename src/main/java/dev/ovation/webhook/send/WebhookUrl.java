package dev.ovation.webhook.send;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;

/**
 * The address of a receiver.
 *
 * @param host name or address, without brackets
 * @param port of the connection
 * @param authority value of the header {@code Host}
 * @param path path and query, escaped
 */
public record WebhookUrl(boolean isSecure, String host, int port, String authority, String path) {

    private static final int MAX_LENGTH = 2000;
    private static final int HTTPS = 443;
    private static final int HTTP = 80;

    /**
     * Reads a URL without resolving its host.
     *
     * @param allowPrivate whether {@code http} is allowed
     * @throws IllegalArgumentException with the rest of a sentence that begins with {@code url}
     */
    public static WebhookUrl of(String text, boolean allowPrivate) {
        URI uri = uri(text);
        boolean isSecure = "https".equalsIgnoreCase(uri.getScheme());
        if (!isSecure && !(allowPrivate && "http".equalsIgnoreCase(uri.getScheme()))) {
            throw new IllegalArgumentException("must begin with https://");
        }
        String host = uri.getHost();
        if (host == null || uri.getUserInfo() != null || uri.getFragment() != null) {
            throw new IllegalArgumentException("must have a host, and no user and no fragment");
        }
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return new WebhookUrl(
                isSecure,
                host.replaceAll("^\\[|]$", ""),
                uri.getPort() < 0 ? isSecure ? HTTPS : HTTP : uri.getPort(),
                uri.getPort() < 0 ? host : host + ':' + uri.getPort(),
                uri.getRawQuery() == null ? path : path + '?' + uri.getRawQuery());
    }

    private static URI uri(String text) {
        if (text.length() > MAX_LENGTH || !text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException("must be a URL of at most 2000 ASCII characters");
        }
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("is not a URL: " + e.getReason(), e);
        }
    }

    /**
     * Resolves the host and returns an address to which webhooks may connect. The caller connects
     * to this address and does not resolve the host again.
     *
     * @throws IOException when there is none
     */
    InetAddress resolve(boolean allowPrivate) throws IOException {
        InetAddress found = allowed(allowPrivate);
        if (found == null) {
            throw new IOException(
                    "the host has a loopback, private or reserved address, which is not allowed");
        }
        return found;
    }

    /**
     * Resolves the host and returns null when all its addresses are refused.
     *
     * @param allowPrivate whether loopback, private and reserved addresses are allowed
     * @throws UnknownHostException when the host has no address
     */
    public @Nullable InetAddress allowed(boolean allowPrivate) throws UnknownHostException {
        for (InetAddress address : InetAddress.getAllByName(host)) {
            if (allowPrivate || PublicAddresses.isPublic(address)) {
                return address;
            }
        }
        return null;
    }
}
