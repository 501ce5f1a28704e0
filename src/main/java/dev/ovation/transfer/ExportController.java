package dev.ovation.transfer;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.limit.CallerBulkhead;
import dev.ovation.limit.TransferBulkheads;
import dev.ovation.transfer.file.ExportFile;
import dev.ovation.transfer.file.FileKind;
import dev.ovation.transfer.file.FileKind.RowKind;
import dev.ovation.transfer.staging.TransferSettings;
import dev.ovation.web.guard.Bulkhead;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** {@code GET /exports}: stored rows, in the forms that imports accept. */
@Controller
final class ExportController {

    private static final List<FileKind> ALL =
            List.of(FileKind.USERS, FileKind.FRIENDS, FileKind.REACTIONS);

    private final ExportSource source;
    private final Bulkhead permits;
    private final CallerBulkhead permitsOfCallers;

    ExportController(ExportSource source, TransferBulkheads permits, TransferSettings settings) {
        this.source = source;
        this.permitsOfCallers = permits.exports().of(settings.maxConcurrent());
        this.permits = new Bulkhead("exports", settings.maxConcurrent(), Duration.ofSeconds(1));
    }

    /** A parsed request; without a kind it is for all kinds of one user. */
    private record ExportRequest(
            @Nullable FileKind kind,
            @Nullable String namespace,
            @Nullable String user,
            boolean json) {}

    @GetMapping("/exports")
    @RequiresScope(Scope.TRANSFER)
    void export(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ExportRequest order = order(request);
        try (var _ = permitsOfCallers.take(Principal.of(request));
                var _ = permits.take()) {
            response.setHeader("Cache-Control", "no-store");
            response.addHeader("Vary", "Accept");
            response.setContentType(order.json ? ImportController.NDJSON : ImportController.CSV);
            response.setCharacterEncoding("utf-8");
            var file = new ExportFile(response.getOutputStream(), order.json);
            FileKind kind = order.kind;
            Exports exports = source.begin(order.user);
            if (kind != null) {
                file.header(kind.columns);
                exports.read(
                        kind,
                        order.namespace,
                        order.user,
                        (_, values) -> file.row(kind.columns, values));
            } else {
                for (FileKind each : ALL) {
                    exports.read(
                            each,
                            order.namespace,
                            order.user,
                            (of, values) ->
                                    file.row(and("kind", of.columns), and(of.label, values)));
                }
            }
            file.end();
        }
    }

    private static List<String> and(String first, List<String> others) {
        return Stream.concat(Stream.of(first), others.stream()).toList();
    }

    private static ExportRequest order(HttpServletRequest request) {
        QueryString query = QueryString.of(request, "user_id", "kind", "namespace_id");
        var violations = new RequestViolations();
        String user = query.nonEmpty("user_id");
        if (user != null) {
            // The scope is for any user.
            IdFields.id("user_id", user, violations);
        }
        String label = query.nonEmpty("kind");
        FileKind kind = FileKind.of(label);
        boolean ofTheContest = kind != null && kind.isOfTheContest();
        if ((label == null && user == null) || (label != null && kind == null) || ofTheContest) {
            violations.add("kind", "must be one of reactions, users, friends");
        }
        String namespace = query.nonEmpty("namespace_id");
        if (namespace != null) {
            IdFields.namespace("namespace_id", namespace, Principal.of(request), violations);
            if (kind == null || kind.target != RowKind.REACTIONS) {
                violations.add("namespace_id", "is only for reactions");
            }
        }
        violations.throwIfAny();
        return new ExportRequest(kind, namespace, user, isJson(request.getHeader("Accept"), kind));
    }

    /**
     * Returns whether the answer is JSON. Rows of several kinds have no common header, so they
     * cannot be CSV.
     */
    private static boolean isJson(@Nullable String accept, @Nullable FileKind kind) {
        String wanted = accept == null ? "*/*" : accept;
        if (wanted.contains(ImportController.NDJSON)) {
            return true;
        }
        boolean any = wanted.contains("*/*");
        if (any || (kind != null && wanted.contains("text/"))) {
            return kind == null;
        }
        throw new ProblemException(
                ProblemCode.NOT_ACCEPTABLE,
                "an export is %s%s"
                        .formatted(
                                kind == null ? "" : ImportController.CSV + " or ",
                                ImportController.NDJSON));
    }
}
