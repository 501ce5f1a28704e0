package dev.ovation.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;

import dev.ovation.grpc.v1.OperationProblem;
import dev.ovation.web.http.Json;
import dev.ovation.web.http.RequestId;
import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.ProblemException.WriteStatus;

import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Problems as statuses of gRPC, with the problem code in the details. */
final class CallProblems {

    /** The domain of all {@link ErrorInfo}. */
    static final String DOMAIN = "ovation";

    /**
     * Bytes of UTF-8 of a text, and of all members. Clients refuse trailers of more than 8 KB, in
     * which a message has three characters for each byte, and the details four for three.
     */
    private static final int MOST_BYTES = 1000;

    private static final int MOST_BYTES_OF_MEMBERS = 2000;

    /** The first two bits of a byte of UTF-8 that continues a character. */
    private static final int UTF_8_CONTINUED = 0x80;

    private static final int UTF_8_LEAD = 0xc0;

    private CallProblems() {}

    /**
     * Returns the status of a refused call.
     *
     * @param changes whether the call may change something; only then the details have an outcome
     */
    static StatusRuntimeException status(
            ProblemException problem, boolean changes, String requestId) {
        var info =
                ErrorInfo.newBuilder()
                        .setReason(problem.code().code())
                        .setDomain(DOMAIN)
                        .putAllMetadata(metadata(problem))
                        .putMetadata(RequestId.NAME, requestId);
        if (changes) {
            info.putMetadata("outcome", isUnknown(problem) ? "unknown" : "refused");
        }
        var status =
                Status.newBuilder()
                        .setCode(code(problem.code()).getNumber())
                        .setMessage(cut(problem.detail()))
                        .addDetails(Any.pack(info.build()));
        var wait = problem.retryAfter();
        if (wait != null) {
            var delay =
                    Duration.newBuilder().setSeconds(wait.toSeconds()).setNanos(wait.toNanosPart());
            status.addDetails(Any.pack(RetryInfo.newBuilder().setRetryDelay(delay).build()));
        }
        return StatusProto.toStatusRuntimeException(status.build());
    }

    /** Returns the refusal of one operation of a stream. */
    static OperationProblem operation(ProblemException problem) {
        var wait = problem.retryAfter();
        return OperationProblem.newBuilder()
                .setCode(problem.code().code())
                .setDetail(problem.detail())
                .setOutcomeUnknown(isUnknown(problem))
                .putAllMetadata(metadata(problem))
                .setRetryAfterMillis(wait == null ? 0 : wait.toMillis())
                .build();
    }

    private static boolean isUnknown(ProblemException problem) {
        return problem.outcome() == WriteStatus.UNKNOWN;
    }

    private static Map<String, String> metadata(ProblemException problem) {
        Map<String, String> texts = new LinkedHashMap<>();
        int left = MOST_BYTES_OF_MEMBERS;
        for (Map.Entry<String, Object> each : problem.members().entrySet()) {
            String text = text(each.getValue());
            int bytes = text.getBytes(StandardCharsets.UTF_8).length;
            if (bytes <= Math.min(left, MOST_BYTES)) {
                texts.put(each.getKey(), text);
                left -= bytes;
            }
        }
        return texts;
    }

    private static String text(Object value) {
        return value instanceof String text
                ? text
                : new String(Json.bytes(value), StandardCharsets.UTF_8);
    }

    /** Cuts a text between two characters. */
    private static String cut(String detail) {
        byte[] utf8 = detail.getBytes(StandardCharsets.UTF_8);
        if (utf8.length <= MOST_BYTES) {
            return detail;
        }
        int end = MOST_BYTES;
        while ((utf8[end] & UTF_8_LEAD) == UTF_8_CONTINUED) {
            end--;
        }
        return new String(utf8, 0, end, StandardCharsets.UTF_8);
    }

    /**
     * Returns the code of a problem. Clients may repeat a call of UNAVAILABLE with these details,
     * because it changed nothing; a change whose outcome is not known is UNKNOWN.
     */
    private static Code code(ProblemCode code) {
        return switch (code) {
            case UNAUTHENTICATED -> Code.UNAUTHENTICATED;
            case FORBIDDEN -> Code.PERMISSION_DENIED;
            case REACTION_ALREADY_EXISTS, REACTION_ALREADY_DEFINED -> Code.ALREADY_EXISTS;
            case CONFLICTING_REACTION,
                    MAX_UNIQ_REACTIONS,
                    TOO_MANY_REACTIONS,
                    CONSTRAINT_VIOLATED,
                    ENTITY_LOCKED,
                    USER_BANNED,
                    REACTION_NOT_AVAILABLE,
                    UNKNOWN_REACTION,
                    CONFIGURATION_LOSES_DATA,
                    CURSOR_EXPIRED ->
                    Code.FAILED_PRECONDITION;
            case UNKNOWN_NAMESPACE_ON_WRITE, UNKNOWN_NAMESPACE, NOT_FOUND -> Code.NOT_FOUND;
            case IDEMPOTENCY_IN_FLIGHT, PRECONDITION_FAILED, CONFIGURATION_CHANGED -> Code.ABORTED;
            case RATE_LIMITED, TOO_MANY_WATCHERS -> Code.RESOURCE_EXHAUSTED;
            case UNAVAILABLE, REQUEST_TIMEOUT -> Code.UNAVAILABLE;
            case OUTCOME_UNKNOWN -> Code.UNKNOWN;
            case INTERNAL -> Code.INTERNAL;
            case NOT_IMPLEMENTED, METHOD_NOT_ALLOWED, HTTP_VERSION_NOT_SUPPORTED ->
                    Code.UNIMPLEMENTED;
            case MALFORMED_REQUEST,
                    INVALID_CURSOR,
                    NOT_ACCEPTABLE,
                    CONTENT_TOO_LARGE,
                    URI_TOO_LONG,
                    UNSUPPORTED_MEDIA_TYPE,
                    EXPECTATION_FAILED,
                    IDEMPOTENCY_MISMATCH,
                    INVALID_CONFIGURATION,
                    REQUEST_HEADER_FIELDS_TOO_LARGE ->
                    Code.INVALID_ARGUMENT;
        };
    }
}
