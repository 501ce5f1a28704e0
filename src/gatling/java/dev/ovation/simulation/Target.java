package dev.ovation.simulation;

import dev.ovation.simulation.app.Call;
import dev.ovation.simulation.app.Namespace;
import dev.ovation.strategies.Contestant;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** The server of the users: a running one, or one that is started for them. */
final class Target implements AutoCloseable {

    private final String name;
    private final URI uri;
    private final Access access;
    private final Optional<Service> service;
    private final Optional<Profile> profile;

    private Target(
            String name,
            URI uri,
            Access access,
            Optional<Service> service,
            Optional<Profile> profile) {
        this.name = name;
        this.uri = uri;
        this.access = access;
        this.service = service;
        this.profile = profile;
    }

    /**
     * Chooses the running server of the command line; starts a server if there is none.
     *
     * @throws IllegalArgumentException if it is on another machine without permission, or is to be
     *     recorded although it was not started here
     */
    static Target choose(Options options) {
        if (options.running().isEmpty()) {
            Optional<Profile> profile =
                    options.profile()
                            ? Optional.of(Profile.beside(options.result()))
                            : Optional.empty();
            var service = start(options, profile.map(Profile::flags).orElse(List.of()));
            var name = options.strategy().orElse(Contestant.OVATION);
            return new Target(name, service.uri(), options.access(), Optional.of(service), profile);
        }
        var uri = options.running().get();
        if (options.profile()) {
            throw new IllegalArgumentException("profile: " + uri + " is not started here");
        }
        if (!options.remote() && !isLoopback(uri)) {
            throw new IllegalArgumentException(
                    uri + " is not this machine; load goes there with -Dsimulation.remote=true");
        }
        return new Target(
                uri.toString(), uri, options.access(), Optional.empty(), Optional.empty());
    }

    /**
     * Starts the server that {@code -Dstrategy} names, on a filled database; without one, Ovation
     * on an empty one.
     */
    private static Service start(Options options, List<String> jvmFlags) {
        return options.strategy()
                .map(name -> Contestant.start(name, options.config(), jvmFlags))
                .orElseGet(() -> Service.ovation(jvmFlags, List.of()));
    }

    private static boolean isLoopback(URI uri) {
        try {
            return uri.getHost() != null
                    && InetAddress.getByName(uri.getHost()).isLoopbackAddress();
        } catch (IOException e) {
            throw new IllegalArgumentException("baseUrl: no such host: " + uri, e);
        }
    }

    /** Its name in reports. */
    String name() {
        return name;
    }

    URI uri() {
        return uri;
    }

    /**
     * Reads the rules of a namespace.
     *
     * @throws IllegalArgumentException if the server does not have it
     */
    Namespace namespace(String id) {
        var rules = ask("/configuration/namespace", id, "").path("namespace");
        var reactions = available(id, "&age=" + Call.ADULT);
        var forAdults = new HashSet<>(reactions);
        available(id, "").forEach(forAdults::remove);
        var exclusive = new ArrayList<List<String>>();
        for (var group : rules.path("mutually_exclusive_reactions")) {
            exclusive.add(group.values().stream().map(JsonNode::asString).toList());
        }
        return new Namespace(
                id,
                reactions,
                forAdults,
                rules.path("max_uniq_reactions").asInt(),
                exclusive,
                !rules.path("constraints").isEmpty(),
                name.equals(Contestant.LAGGING));
    }

    /** Returns the ids of the reactions that an audience may add now. */
    private List<String> available(String namespace, String audience) {
        return ask("/configuration/available_reactions", namespace, audience)
                .path("reactions")
                .valueStream()
                .map(reaction -> reaction.path("id").asString())
                .toList();
    }

    private JsonNode ask(String path, String namespace, String more) {
        var query = "?namespace_id=" + URLEncoder.encode(namespace, StandardCharsets.UTF_8) + more;
        var request = access.request(uri.resolve(path + query)).timeout(Duration.ofMinutes(1));
        try (var client = access.client()) {
            var answer = client.send(request.build(), BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalArgumentException(
                        uri + " has no namespace " + namespace + ": " + answer.body());
            }
            return JsonMapper.shared().readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException("no answer from " + uri, e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Stops the server if it was started here. */
    @Override
    public void close() {
        service.ifPresent(Service::close);
        profile.ifPresent(Profile::draw);
    }
}
