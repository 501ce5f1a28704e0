package dev.ovation.simulation;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * What a running server asks its callers for.
 *
 * @param key {@code simulation.key}: a file with an API key, for servers that need one
 * @param authority {@code simulation.ca}: a PEM file with the authority of the server's
 *     certificate. The rules are read over connections that it has certified; Gatling's own
 *     connections accept every certificate.
 */
record Access(Optional<String> key, Optional<Path> authority) {

    /**
     * Reads the options.
     *
     * @throws IllegalArgumentException with the option's name, if a file cannot be read
     */
    static Access of(Properties given) {
        return new Access(
                file(given, "simulation.key").map(key -> read("simulation.key", key)),
                file(given, "simulation.ca"));
    }

    private static Optional<Path> file(Properties given, String name) {
        Optional<Path> file = Optional.ofNullable(given.getProperty(name)).map(Path::of);
        file.filter(path -> !Files.isReadable(path))
                .ifPresent(
                        path -> {
                            throw new IllegalArgumentException(name + ": no such file: " + path);
                        });
        return file;
    }

    private static String read(String name, Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException(name + ": " + e, e);
        }
    }

    /** The header {@code Authorization}, if there is a key. */
    Optional<String> authorization() {
        return key.map("Bearer "::concat);
    }

    /** A request with the key. */
    HttpRequest.Builder request(URI uri) {
        var request = HttpRequest.newBuilder(uri);
        authorization().ifPresent(value -> request.header("Authorization", value));
        return request;
    }

    /** A client that trusts the authority, or those of the JVM if there is none. */
    HttpClient client() {
        var client = HttpClient.newBuilder();
        authority
                .map(file -> PemSslStoreDetails.forCertificate(file.toUri().toString()))
                .map(trust -> SslBundle.of(new PemSslStoreBundle(null, trust)).createSslContext())
                .ifPresent(client::sslContext);
        return client.build();
    }
}
