package dev.ovation.crowd;

import dev.ovation.entity.Micros;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The JSON of lists; times are in milliseconds. */
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

    static ReactorPageJson page(CrowdCalls.ListedPage page) {
        return new ReactorPageJson(users(page.users()), page.cursor());
    }

    static Entities entities(List<CrowdCalls.EntityCrowd> found) {
        return new Entities(
                found.stream()
                        .map(each -> new Entity(each.entity(), each.count(), users(each.users())))
                        .toList());
    }

    static UserReactionsJson given(CrowdCalls.GivenPage page) {
        return new UserReactionsJson(
                page.reactions().stream().map(CrowdJson::given).toList(), page.cursor());
    }

    private static List<ReactorJson> users(List<ListedReactor> reactors) {
        return reactors.stream().map(CrowdJson::user).toList();
    }

    private static ReactorJson user(ListedReactor reactor) {
        List<ReactorReactionJson> reactions =
                reactor.reactions().stream()
                        .map(
                                each ->
                                        new ReactorReactionJson(
                                                each.reaction(), Micros.text(each.at())))
                        .toList();
        return new ReactorJson(
                reactor.user(), reactor.name(), reactions, reactor.friend() ? true : null);
    }

    private static UserReactionJson given(CrowdCalls.Given given) {
        return new UserReactionJson(
                given.namespace(), given.entity(), given.reaction(), Micros.text(given.at()));
    }
}
