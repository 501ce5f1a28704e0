package dev.ovation.crowd;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.Micros;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What lists are answered with: reactions in their last spelling, times in milliseconds. */
final class CrowdJson {

    private CrowdJson() {}

    record Users(List<User> users, @Nullable String nextCursor) {}

    record User(
            String userId,
            @Nullable String displayName,
            List<Reaction> reactions,
            @Nullable Boolean friend) {}

    record Reaction(String reactionId, String reactedAt) {}

    record Entities(List<Entity> entities) {}

    record Entity(String entityId, long count, List<User> users) {}

    record Reactions(List<Given> reactions, @Nullable String nextCursor) {}

    record Given(String namespaceId, String entityId, String reactionId, String reactedAt) {}

    static List<User> users(List<Reactor> reactors, RulesInForce rules) {
        return reactors.stream().map(each -> user(each, rules)).toList();
    }

    private static User user(Reactor reactor, RulesInForce rules) {
        List<Reaction> reactions =
                reactor.reactions().stream()
                        .map(
                                each ->
                                        new Reaction(
                                                rules.spelling(each.reaction()),
                                                Micros.text(each.at())))
                        .toList();
        return new User(reactor.user(), reactor.name(), reactions, reactor.friend() ? true : null);
    }

    static Given given(UserReactions.Given given, RulesInForce rules) {
        return new Given(
                given.namespace(),
                given.entity(),
                rules.spelling(given.reaction()),
                Micros.text(given.at()));
    }
}
