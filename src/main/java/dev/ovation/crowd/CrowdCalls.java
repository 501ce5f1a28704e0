package dev.ovation.crowd;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.configuration.RulesInForce;
import dev.ovation.crowd.ReactorsAmong.AmongResult;
import dev.ovation.crowd.UserReactionList.UserReactionRow;
import dev.ovation.limit.Caller;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.replica.ReadKind;
import dev.ovation.store.replica.ReplicaPosition;
import dev.ovation.store.replica.ReplicaReader;
import dev.ovation.store.replica.ReplicaReads;
import dev.ovation.store.shard.Shards;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.TextFields;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The interface of this package for all protocols: each list with the costs of its caller.
 * Reactions are as the configuration spells them.
 */
@Component
public final class CrowdCalls {

    private final CurrentRules rules;
    private final PostgresBulkhead gate;
    private final ReplicaReads reads;
    private final ReplicaReader<ReactorListReader> reactors;
    private final ReplicaReader<ReactorsAmong> acquaintances;
    private final UserReactionList userReactions;

    CrowdCalls(
            CurrentRules rules,
            PostgresBulkhead gate,
            ReplicaReads reads,
            Shards shards,
            UserReactionList userReactions) {
        this.rules = rules;
        this.gate = gate;
        this.reads = reads;
        this.reactors = reads.reader(ReadKind.LIST, jdbc -> new ReactorListReader(jdbc, shards));
        this.acquaintances = reads.reader(ReadKind.CROWD, jdbc -> new ReactorsAmong(jdbc, shards));
        this.userReactions = userReactions;
    }

    /**
     * A page of reactors.
     *
     * @param cursor of the next page; null at the end
     */
    public record ListedPage(List<ListedReactor> users, @Nullable String cursor) {}

    /**
     * The reactors of an entity among given users.
     *
     * @param count number of the given users with a reaction
     * @param users the newest of them
     */
    public record EntityCrowd(String entity, long count, List<ListedReactor> users) {}

    /**
     * A page of the reactions of a user.
     *
     * @param cursor of the next page; null at the end
     */
    public record GivenPage(List<Given> reactions, @Nullable String cursor) {}

    /**
     * A reaction of a user.
     *
     * @param at time of the reaction, in microseconds since 1970
     */
    public record Given(String namespace, String entity, String reaction, long at) {}

    /**
     * Lists the reactors of an entity, as {@code GET /reactions/users} does. A list with a viewer
     * is the newest one, because it must have the viewer's own changes; any other list may come
     * from a replica. A page is never older than the first page of its list: an older page could
     * lack a reactor that no earlier page has.
     *
     * @throws ProblemException when the call is malformed or not allowed, or cannot be answered now
     */
    public ListedPage reactors(TextFields fields, Caller caller) {
        var asked = CrowdRequests.reactors(fields, caller.who(), rules.current());
        caller.user(asked.query().viewer());
        RulesInForce current = rules.forNamespace(asked.query().key().namespace());
        Function<ReactorListReader, ReactorPage> read = lists -> lists.page(asked.query());
        ReactorPage page =
                asked.mayBeOlder() ? reactors.recent(asked.since(), read) : reactors.newest(read);
        ReplicaPosition first = asked.isFirst() ? reads.position() : asked.since();
        String next = page.next() == null ? null : asked.cursor(page.next(), first);
        return new ListedPage(spelled(page.reactors(), current), next);
    }

    /**
     * Finds reactors among given users, as {@code POST /reactions/users/query} does. The answer may
     * come from a replica, unless the caller is one of the users.
     *
     * @param body what that request has as its body
     * @return one item for each entity of the query, in the same order
     * @throws ProblemException when the call is malformed or not allowed, or cannot be answered now
     */
    public List<EntityCrowd> among(JsonBody body, Caller caller) {
        var asked = CrowdRequests.among(body, caller.who());
        caller.pairs("entity_ids", asked.entities().size(), asked.among().size());
        RulesInForce current = rules.forNamespace(asked.namespace());
        Function<ReactorsAmong, Map<String, AmongResult>> read =
                table ->
                        table.find(
                                asked.namespace(), asked.entities(), asked.among(), asked.limit());
        String user = caller.who().user();
        boolean isOwn = user != null && asked.among().contains(user);
        Map<String, AmongResult> found =
                isOwn ? acquaintances.newest(read) : acquaintances.recent(null, read);
        return asked.entities().stream().map(entity -> entity(entity, found, current)).toList();
    }

    private static EntityCrowd entity(
            String entity, Map<String, AmongResult> all, RulesInForce current) {
        AmongResult found = all.getOrDefault(entity, AmongResult.NONE);
        return new EntityCrowd(entity, found.size(), spelled(found.newest(), current));
    }

    /**
     * Lists the reactions of a user, as {@code GET /users/reactions} does: always the newest, so
     * that the list never goes back in time for its user.
     *
     * @throws ProblemException when the call is malformed or not allowed, or cannot be answered now
     */
    public GivenPage given(TextFields fields, Caller caller) {
        var asked = CrowdRequests.given(fields, caller.who());
        caller.user(asked.user());
        String namespace = asked.namespace();
        RulesInForce current = namespace == null ? rules.current() : rules.forNamespace(namespace);
        int wanted = asked.limit() + 1;
        List<UserReactionRow> found =
                gate.ask(() -> userReactions.list(asked.user(), namespace, asked.from(), wanted));
        boolean more = found.size() == wanted;
        List<UserReactionRow> page = more ? found.subList(0, asked.limit()) : found;
        return new GivenPage(
                page.stream().map(each -> given(each, current)).toList(),
                more ? asked.cursor(page.getLast()) : null);
    }

    private static Given given(UserReactionRow row, RulesInForce current) {
        return new Given(row.namespace(), row.entity(), current.spelling(row.reaction()), row.at());
    }

    private static List<ListedReactor> spelled(List<ListedReactor> found, RulesInForce current) {
        return found.stream().map(each -> each.spelled(current)).toList();
    }
}
