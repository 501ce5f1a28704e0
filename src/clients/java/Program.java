import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.CrowdsApi;
import org.openapitools.client.api.ReactionsApi;
import org.openapitools.client.model.Batch;
import org.openapitools.client.model.BatchOperation;
import org.openapitools.client.model.BatchOperation.OpEnum;
import org.openapitools.client.model.MalformedRequestProblem;
import org.openapitools.client.model.OneReaction;
import org.openapitools.client.model.ReactorPage;
import org.openapitools.client.model.RefusalProblem;
import org.openapitools.client.model.Screen;
import org.openapitools.client.model.ScreenEntity;
import org.openapitools.client.model.ScreenItem;
import org.openapitools.client.model.SetWritten;
import org.openapitools.client.model.WholeSet;
import org.openapitools.client.model.Written;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Calls the service with the generated client. Arguments: address of the service, id of an entity.
 */
public final class Program {

    private static final PrintStream OUT =
            new PrintStream(System.out, true, StandardCharsets.UTF_8);

    public static void main(String[] args) throws ApiException {
        String entity = args[1];
        ApiClient client = new ApiClient();
        client.updateBaseUri(args[0]);
        ReactionsApi reactions = new ReactionsApi(client);
        CrowdsApi crowds = new CrowdsApi(client);
        String key = UUID.randomUUID().toString();

        // A repeated key answers the first result and changes nothing.
        for (String attempt : List.of("add", "retry")) {
            Written added =
                    reactions.addReaction(
                            reaction(entity, "ann", "👍"),
                            null,
                            null,
                            key,
                            "return=representation");
            OUT.println(
                    attempt + " " + added.getOutcome() + " " + String.join(" ", added.getAdded()));
        }

        try {
            reactions.addReaction(reaction(entity, "ann", "👎"), null, null, null, null);
        } catch (ApiException e) {
            RefusalProblem refusal =
                    client.getObjectMapper().readValue(e.getResponseBody(), RefusalProblem.class);
            OUT.println(
                    "conflict %d %s %s %s"
                            .formatted(
                                    e.getCode(),
                                    refusal.getCode(),
                                    refusal.getOutcome(),
                                    String.join(" ", refusal.getConflicting())));
        }

        try {
            reactions.addReaction(reaction("é".repeat(200), "ann", "👍"), null, null, null, null);
        } catch (ApiException e) {
            MalformedRequestProblem malformed =
                    client.getObjectMapper()
                            .readValue(e.getResponseBody(), MalformedRequestProblem.class);
            OUT.println("malformed " + malformed.getViolations().getFirst().getField());
        }

        SetWritten set =
                reactions.setReactions(
                        new WholeSet()
                                .namespaceId("posts")
                                .entityId(entity)
                                .userId("ann")
                                .reactionIds(List.of("👎")),
                        UUID.randomUUID().toString(),
                        null,
                        null);
        OUT.println(
                "set %s %s %s"
                        .formatted(
                                set.getOutcome(),
                                String.join(" ", set.getAdded()),
                                String.join(" ", set.getRemoved())));

        Screen screen =
                new Screen()
                        .namespaceId("posts")
                        .viewerId("ann")
                        .details(true)
                        .entities(
                                List.of(
                                        new ScreenItem()
                                                .entityId(entity)
                                                .version(set.getEntity().getVersion())));
        ScreenEntity unchanged = reactions.queryReactions(screen, null).getEntities().getFirst();
        OUT.println("screen unchanged " + unchanged.getUnchanged());
        screen =
                new Screen()
                        .namespaceId("posts")
                        .viewerId("ann")
                        .reactors(2)
                        .entities(List.of(new ScreenItem().entityId(entity)));
        ScreenEntity seen = reactions.queryReactions(screen, null).getEntities().getFirst();
        OUT.println(
                "screen %d %s %s"
                        .formatted(
                                seen.getReactionsCount().getFirst().getCount(),
                                String.join(" ", seen.getUserReactions().getReactions()),
                                seen.getReactors().getFirst().getUserId()));

        Batch batch =
                new Batch().operations(List.of(operation(entity, "ben"), operation(entity, "ann")));
        OUT.println(
                "batch "
                        + reactions
                                .writeReactions(batch, UUID.randomUUID().toString())
                                .getResults()
                                .stream()
                                .map(
                                        each ->
                                                each.getProblem() == null
                                                        ? each.getOutcome().toString()
                                                        : each.getOutcome()
                                                                + " "
                                                                + each.getProblem().getCode())
                                .collect(Collectors.joining(" ")));

        String cursor = null;
        do {
            ReactorPage page =
                    crowds.listReactors("posts", entity, null, "oldest", null, null, 1, cursor);
            page.getUsers().forEach(each -> OUT.println("page " + each.getUserId()));
            cursor = page.getNextCursor();
        } while (cursor != null);
    }

    private static OneReaction reaction(String entity, String user, String reaction) {
        return new OneReaction()
                .namespaceId("posts")
                .entityId(entity)
                .userId(user)
                .reactionId(reaction);
    }

    private static BatchOperation operation(String entity, String user) {
        return new BatchOperation()
                .op(OpEnum.ADD)
                .namespaceId("posts")
                .entityId(entity)
                .userId(user)
                .reactionId("👎");
    }
}
