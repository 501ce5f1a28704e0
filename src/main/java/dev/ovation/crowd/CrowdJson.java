package dev.ovation.crowd;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.Micros;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The JSON of lists: reactions in their latest spelling, times in milliseconds. */
final class CrowdJson {

    private CrowdJson() {}

    record ReactorPageJson(List<ReactorJson> users, @Nullable String nextCursor) {}

    record ReactorJson(
            String userId,
            @Nullable String displayName,
            List<ReactorReactionJson> reactions,
            @Nullable Boolean friend) {}

    record ReactorReactionJson(String reactionId, String reactedAt) {}

    record Entities(List<Entity> entities) {}

    record Entity(String entityId, long count, List<ReactorJson> users) {}

    record UserReactionsJson(List<UserReactionJson> reactions, @Nullable String nextCursor) {}

    record UserReactionJson(
            String namespaceId, String entityId, String reactionId, String reactedAt) {}

    static List<ReactorJson> users(List<ListedReactor> reactors, RulesInForce rules) {
        return reactors.stream().map(each -> user(each, rules)).toList();
    }

    private static ReactorJson user(ListedReactor reactor, RulesInForce rules) {
        List<ReactorReactionJson> reactions =
                reactor.reactions().stream()
                        .map(
                                each ->
                                        new ReactorReactionJson(
                                                rules.spelling(each.reaction()),
                                                Micros.text(each.at())))
                        .toList();
        return new ReactorJson(
                reactor.user(), reactor.name(), reactions, reactor.friend() ? true : null);
    }

    static UserReactionJson given(UserReactionList.UserReactionRow given, RulesInForce rules) {
        return new UserReactionJson(
                given.namespace(),
                given.entity(),
                rules.spelling(given.reaction()),
                Micros.text(given.at()));
    }
}
