package dev.ovation.transfer;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.job.Job;
import dev.ovation.job.JobJson;
import dev.ovation.job.JobLease;
import dev.ovation.job.JobLeaseLostException;
import dev.ovation.job.JobTable.Begun;
import dev.ovation.limit.CallerBulkhead;
import dev.ovation.limit.TransferBulkheads;
import dev.ovation.transfer.file.BoundedBody;
import dev.ovation.transfer.file.FileKind;
import dev.ovation.transfer.file.FileKind.RowKind;
import dev.ovation.transfer.file.GzipBody;
import dev.ovation.transfer.file.TooMuchException;
import dev.ovation.transfer.staging.TransferSettings;
import dev.ovation.web.guard.Bulkhead;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.IdempotencyHeader;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.zip.ZipException;

/**
 * {@code POST /imports}: receives a file while it arrives, and leaves the rest to a job, which
 * merges the rows or compares them with the stored ones.
 */
@Controller
final class ImportController {

    private static final Logger LOG = LoggerFactory.getLogger(ImportController.class);

    static final String CSV = "text/csv";
    static final String NDJSON = "application/x-ndjson";
    private static final int HEAD = 8_192;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Imports imports;
    private final Bulkhead permits;
    private final CallerBulkhead permitsOfCallers;
    private final long bytes;

    ImportController(Imports imports, TransferBulkheads permits, TransferSettings settings) {
        this.imports = imports;
        this.permitsOfCallers = permits.imports().of(settings.maxConcurrent());
        this.bytes = settings.bytes().toBytes();
        this.permits = new Bulkhead("imports", settings.maxConcurrent(), RETRY_AFTER);
    }

    /** The uncompressed upload; fails when the file has another form. */
    private interface UploadBody {
        InputStream open() throws IOException;
    }

    /** A parsed request. */
    record ImportRequest(
            FileKind kind,
            @Nullable String namespace,
            boolean compare,
            boolean json,
            @Nullable String key) {}

    @PostMapping("/imports")
    @RequiresScope(Scope.TRANSFER)
    HttpAnswer take(HttpServletRequest request) throws IOException {
        ImportRequest order = order(request);
        InputStream file = request.getInputStream();
        if (!imports.isReady(order)) {
            file = begun(file);
        }
        Job arrived;
        try (var _ = permitsOfCallers.take(Principal.of(request));
                var _ = permits.take()) {
            Begun begun = imports.begin(order);
            var lease = begun.lease();
            if (lease != null) {
                return take(order, begun.job(), lease, body(request, file));
            }
            arrived = begun.job();
        }
        skip(request, file);
        return accepted(arrived);
    }

    /** Waits for the first line, or 8 KB: a client that sends no bytes takes no permit. */
    private static InputStream begun(InputStream file) throws IOException {
        byte[] head = new byte[HEAD];
        int length = 0;
        boolean whole = false;
        while (!whole) {
            int some = file.read(head, length, HEAD - length);
            for (int i = length; i < length + some; i++) {
                whole |= head[i] == '\n';
            }
            length += Math.max(0, some);
            whole |= some < 0 || length == HEAD;
        }
        return new SequenceInputStream(new ByteArrayInputStream(head, 0, length), file);
    }

    private HttpAnswer take(ImportRequest order, Job job, JobLease lease, UploadBody body)
            throws IOException {
        boolean whole = false;
        boolean again = order.key() != null;
        try {
            imports.take(order, job, lease, body.open());
            whole = true;
        } catch (TooMuchException e) {
            again = false;
            throw Problems.malformed("body", String.valueOf(e.getMessage()));
        } catch (ZipException | EOFException e) {
            throw Problems.malformed("body", "is not a whole gzip file");
        } catch (JobLeaseLostException e) {
            LOG.debug("An upload lost its job: cancelled, or continued by another request", e);
        } finally {
            if (!whole) {
                breakOff(lease, again);
            }
        }
        Job now = find(lease.id());
        if (!whole && now.finishedAt() == null) {
            throw Problems.idempotencyInFlight();
        }
        return accepted(now);
    }

    private Job find(long id) {
        try {
            return imports.find(id);
        } catch (DataAccessException e) {
            throw Problems.outcomeUnknown("Postgres does not say any more", RETRY_AFTER);
        }
    }

    /** Releases the lease. When that fails, the lease expires. */
    private static void breakOff(JobLease lease, boolean again) {
        try {
            lease.suspend(again);
        } catch (DataAccessException e) {
            LOG.debug("An upload ended early, and its lease cannot be released", e);
        }
    }

    /**
     * Reads the rest of the file. A client that sent Expect need not send the file; other clients
     * read no answer before they have sent it.
     */
    private static void skip(HttpServletRequest request, InputStream file) throws IOException {
        if (request.getHeader("Expect") == null) {
            file.transferTo(OutputStream.nullOutputStream());
        }
    }

    private static HttpAnswer accepted(Job job) {
        return HttpAnswer.accepted(JobJson.location(job), JobJson.of(job));
    }

    private UploadBody body(HttpServletRequest request, InputStream file) {
        String encoding = request.getHeader("Content-Encoding");
        boolean plain = encoding == null || encoding.equalsIgnoreCase("identity");
        return () -> new BoundedBody(plain ? file : new GzipBody(file), bytes);
    }

    private static ImportRequest order(HttpServletRequest request) {
        QueryString query = QueryString.of(request, "kind", "namespace_id", "compare");
        var violations = new RequestViolations();
        FileKind kind = FileKind.of(query.text("kind"));
        if (kind == null) {
            violations.add("kind", "must be one of " + FileKind.labels());
        }
        String namespace = query.nonEmpty("namespace_id");
        if (namespace != null) {
            IdFields.namespace("namespace_id", namespace, Principal.of(request), violations);
            if (kind != null && kind.target != RowKind.REACTIONS) {
                violations.add("namespace_id", "is only for reactions");
            }
        }
        boolean compare = query.flag("compare", false, violations);
        if (compare && kind != null && kind != FileKind.REACTIONS) {
            violations.add("compare", "is only for reactions");
        }
        String key = IdempotencyHeader.read(request, violations);
        violations.throwIfAny();
        boolean json = isJson(request);
        checkEncoding(request);
        if (kind == null || (json && kind.isOfTheContest())) {
            throw Problems.unsupportedContentType(request.getContentType());
        }
        return new ImportRequest(kind, namespace, compare, json, key);
    }

    private static boolean isJson(HttpServletRequest request) {
        String given = request.getContentType();
        String type = given == null ? "" : given.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return switch (type) {
            case CSV -> false;
            case NDJSON -> true;
            default -> throw Problems.unsupportedContentType(given);
        };
    }

    private static void checkEncoding(HttpServletRequest request) {
        String encoding = request.getHeader("Content-Encoding");
        if (encoding != null && !encoding.toLowerCase(Locale.ROOT).matches("gzip|identity")) {
            throw Problems.unsupportedContentEncoding(encoding, "gzip, identity");
        }
    }
}
