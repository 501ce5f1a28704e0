package dev.ovation.reaction;

import dev.ovation.access.Principal;
import dev.ovation.entity.ChangeKind;
import dev.ovation.reaction.attribute.AttributeReader;
import dev.ovation.reaction.write.Command;
import dev.ovation.reaction.write.IdempotencyKey;
import dev.ovation.reaction.write.WriteOutcome;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.IdempotencyHeader;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the body of {@code POST /reactions/batch}. */
final class BatchReader {

    private static final int MOST_OPERATIONS = 100;

    private final long maxBody;

    /**
     * Creates a reader of bodies of at most {@code maxBody} bytes.
     *
     * @param maxBody in bytes
     */
    BatchReader(long maxBody) {
        this.maxBody = maxBody;
    }

    /**
     * The operations of a batch, in order: each is a command, or a refusal because the caller lacks
     * the right.
     *
     * @param commands of the operations that are allowed
     * @param refusals by their index; null for those that are allowed
     */
    record CommandBatch(List<Command> commands, List<@Nullable ProblemException> refusals) {

        /** Returns the outcomes of all operations, given the outcomes of the commands. */
        List<WriteOutcome> outcomes(List<WriteOutcome> done) {
            var next = done.iterator();
            var outcomes = new ArrayList<WriteOutcome>(refusals.size());
            for (ProblemException refusal : refusals) {
                outcomes.add(refusal == null ? next.next() : new WriteOutcome.Problematic(refusal));
            }
            return outcomes;
        }
    }

    CommandBatch read(HttpServletRequest request) throws IOException {
        QueryString.none(request);
        JsonBody body = JsonBody.read(request, maxBody);
        var violations = new RequestViolations();
        String key = IdempotencyHeader.read(request, violations);
        CommandBatch batch =
                batch(body.member("operations"), key, Principal.of(request), violations);
        violations.throwIfAny();
        return batch;
    }

    private static CommandBatch batch(
            @Nullable JsonNode operations,
            @Nullable String key,
            Principal who,
            RequestViolations violations) {
        var batch = new CommandBatch(new ArrayList<>(), new ArrayList<>());
        if (operations == null || !operations.isArray()) {
            violations.add("operations", operations == null ? "is missing" : "must be a list");
            return batch;
        }
        if (operations.size() > MOST_OPERATIONS) {
            violations.add("operations", "must not be more than " + MOST_OPERATIONS);
            return batch;
        }
        for (int i = 0; i < operations.size(); i++) {
            String path = "operations[" + i + "]";
            if (operations.get(i).isObject()) {
                var operation = new JsonBody(operations.get(i), path + ".");
                // The space keeps the key of an operation apart from every key that a client can
                // send.
                String own = key == null ? null : key + " " + i;
                Command command = command(operation, path + ".", own, who, violations);
                ProblemException refusal = violations.takeRefusal();
                batch.refusals.add(refusal);
                if (refusal == null) {
                    batch.commands.add(command);
                }
            } else {
                violations.add(path, "must be an object");
            }
        }
        return batch;
    }

    private static Command command(
            JsonBody body,
            String path,
            @Nullable String key,
            Principal who,
            RequestViolations violations) {
        ChangeKind kind = kind(path + "op", body.text("op", violations), violations);
        String namespace =
                IdFields.namespace(
                        path + "namespace_id",
                        body.text("namespace_id", violations),
                        who,
                        violations);
        String entity = id(body, path, "entity_id", violations);
        String user =
                IdFields.actor(path + "user_id", body.text("user_id", violations), who, violations);
        String reaction = id(body, path, "reaction_id", violations);
        boolean force = body.flag("force", violations);
        boolean existingIsFine =
                RequestReader.existingIsFine(
                        path + "if_exists", body.text("if_exists", violations), violations);
        var attributes =
                AttributeReader.read(
                        body.member("attributes"), path + "attributes", who, violations);
        return new Command(
                        kind,
                        namespace,
                        entity,
                        user,
                        reaction,
                        force,
                        existingIsFine,
                        IdempotencyKey.of(
                                key,
                                kind,
                                namespace,
                                entity,
                                user,
                                reaction,
                                force,
                                existingIsFine))
                .with(attributes);
    }

    private static ChangeKind kind(
            String field, @Nullable String op, RequestViolations violations) {
        if (!"add".equals(op) && !"remove".equals(op)) {
            violations.add(field, op == null ? "is missing" : "must be add or remove");
        }
        return "add".equals(op) ? ChangeKind.ADD : ChangeKind.REMOVE;
    }

    private static String id(
            JsonBody body, String path, String name, RequestViolations violations) {
        return IdFields.id(path + name, body.text(name, violations), violations);
    }
}
