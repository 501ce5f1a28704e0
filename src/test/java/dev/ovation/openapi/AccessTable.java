package dev.ovation.openapi;

import dev.ovation.access.Scope;
import dev.ovation.testing.ApiDocument;
import dev.ovation.testing.ApiDocument.Operation;
import dev.ovation.testing.Instance.Answer;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Reads {@code access.txt}: a row for each operation, a column for each caller. */
final class AccessTable {

    private AccessTable() {}

    /** The kinds of caller in the table of access, in the order of its columns. */
    enum Caller {
        /** Without a credential. */
        NONE,
        /** With a malformed credential, or one that was never issued. */
        WRONG,
        /** With an expired credential. */
        EXPIRED,
        /** With a credential for all other scopes. */
        LACKING,
        /** With a credential for another namespace. */
        ELSEWHERE,
        /** A user on its own behalf. */
        OWN,
        /** A user on behalf of another user. */
        OTHER,
        /** A service that acts for users. */
        BACKEND,
        /** A person or program that operates the service. */
        OPERATOR;

        /** Whether the service accepts its credential. */
        boolean isKnown() {
            return compareTo(EXPIRED) > 0;
        }
    }

    /** The answer to a caller. */
    enum Cell {
        UNAUTHENTICATED,
        FORBIDDEN,
        OK
    }

    /**
     * One operation.
     *
     * @param operation of the document; without content if the document lacks it
     * @param scope that it requires
     */
    record Row(Operation operation, Scope scope, Map<Caller, Cell> cells) {

        boolean isPublic() {
            return scope == Scope.PUBLIC;
        }

        boolean isRead() {
            return operation.method().equals("GET");
        }

        /** Whether its answer is 200 with a refusal in the body. */
        boolean isRefusedInside() {
            return operation.path().equals("/pcc") || operation.path().equals("/reactions/batch");
        }

        /** Maps an answer to a cell of the table. */
        Cell seen(Answer answer) {
            return switch (answer.status()) {
                case 401 -> Cell.UNAUTHENTICATED;
                case 403 -> isForbidden(answer.json()) ? Cell.FORBIDDEN : Cell.OK;
                case 200 ->
                        isRefusedInside() && areForbidden(answer.json()) ? Cell.FORBIDDEN : Cell.OK;
                default -> Cell.OK;
            };
        }

        private static boolean areForbidden(JsonNode body) {
            JsonNode results = body.path("results");
            return body.path("error_code").asInt(0) == 403
                    || !results.isEmpty()
                            && results.valueStream()
                                    .allMatch(each -> isForbidden(each.path("problem")));
        }

        private static boolean isForbidden(JsonNode problem) {
            return problem.path("code").asString("").equals("forbidden");
        }

        @Override
        public String toString() {
            return operation.toString();
        }
    }

    /** All rows, in their order. */
    static List<Row> rows(ApiDocument document) {
        try (InputStream in = AccessTable.class.getResourceAsStream("access.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> row(line, document.operations()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Row row(String line, List<Operation> documented) {
        String[] parts = line.split("\\|");
        String[] name = parts[0].strip().split("\\s+");
        Operation operation =
                documented.stream()
                        .filter(each -> each.toString().equals(name[0] + " " + name[1]))
                        .findFirst()
                        .orElse(undocumented(name[0], name[1]));
        String scope = parts[1].strip();
        String[] cells = parts[2].strip().split("\\s+");
        Map<Caller, Cell> byCaller = new EnumMap<>(Caller.class);
        for (Caller caller : Caller.values()) {
            byCaller.put(caller, cell(cells[caller.ordinal()]));
        }
        return new Row(operation, scope.equals("-") ? Scope.PUBLIC : scope(scope), byCaller);
    }

    /** An operation of which only the name is known. */
    static Operation undocumented(String method, String path) {
        return new Operation(method, path, JsonMapper.shared().createObjectNode());
    }

    private static Scope scope(String label) {
        Scope scope = Scope.granted(label);
        if (scope == null) {
            throw new IllegalStateException("there is no scope " + label);
        }
        return scope;
    }

    private static Cell cell(String text) {
        return switch (text) {
            case "401" -> Cell.UNAUTHENTICATED;
            case "403" -> Cell.FORBIDDEN;
            case "ok" -> Cell.OK;
            default -> throw new IllegalStateException("there is no answer " + text);
        };
    }
}
