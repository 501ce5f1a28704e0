package dev.ovation.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.ErrorInfo;

import dev.ovation.web.problem.ProblemCode;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

class CallProblemsTest {

    @ParameterizedTest
    @EnumSource(ProblemCode.class)
    void eachProblemHasAnErrorWithItsCode(ProblemCode code) throws Exception {
        var failure = CallProblems.status(new ProblemException(code, "why"), false, "id");

        assertThat(failure.getStatus().getCode()).isNotEqualTo(Status.Code.OK);
        assertThat(failure.getStatus().getDescription()).isEqualTo("why");
        assertThat(info(failure).getReason()).isEqualTo(code.code());
        assertThat(info(failure).getMetadataMap()).containsEntry("request_id", "id");
    }

    @Test
    void aChangeOfUnknownOutcomeIsNotUnavailable() throws Exception {
        var unknown =
                CallProblems.status(
                        Problems.outcomeUnknown("not confirmed", Duration.ofSeconds(1)),
                        true,
                        "id");
        var unavailable =
                CallProblems.status(
                        Problems.unavailable("nothing done", Duration.ofSeconds(1)), true, "id");

        assertThat(unknown.getStatus().getCode()).isEqualTo(Status.Code.UNKNOWN);
        assertThat(info(unknown).getMetadataMap()).containsEntry("outcome", "unknown");
        assertThat(unavailable.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(info(unavailable).getMetadataMap()).containsEntry("outcome", "refused");
    }

    @Test
    void aTextIsCutBetweenTwoCharacters() {
        // 333 characters of 3 bytes leave one byte of 1,000.
        for (String rest : List.of("漢", "👍")) {
            var failure =
                    CallProblems.status(problem("漢".repeat(333) + rest, Map.of()), false, "id");

            assertThat(failure.getStatus().getDescription()).isEqualTo("漢".repeat(333));
        }
    }

    @Test
    void longMembersAreLeftOut() throws Exception {
        var members = new LinkedHashMap<String, Object>();
        members.put("short", List.of("👍"));
        members.put("long", "漢".repeat(334));
        members.put("first", "漢".repeat(333));
        members.put("second", "漢".repeat(330));
        members.put("third", "漢");
        var failure = CallProblems.status(problem("why", members), false, "id");

        // 1,002 bytes are too many for one, and 8 + 999 + 990 + 3 are the most for all.
        assertThat(info(failure).getMetadataMap())
                .containsEntry("short", "[\"👍\"]")
                .containsKeys("first", "second", "third")
                .doesNotContainKeys("long", "outcome");
        members.put("fourth", "x");
        assertThat(info(CallProblems.status(problem("why", members), false, "id")).getMetadataMap())
                .doesNotContainKey("fourth");
    }

    /** Clients refuse trailers of more than 8 KB. */
    @Test
    void theLongestTrailersAreAccepted() {
        var members = new LinkedHashMap<String, Object>();
        for (int i = 0; i < 10; i++) {
            members.put("member" + i, "漢".repeat(333));
        }
        var status =
                StatusProto.fromThrowable(
                        CallProblems.status(
                                problem("漢".repeat(1000), members), true, "i".repeat(128)));
        int details = Math.ceilDiv(status.getSerializedSize(), 3) * 4;
        int message = 3 * status.getMessageBytes().size();

        assertThat(details + message).isLessThan(8192 - 256);
    }

    @Test
    void aRefusedOperationSaysWhenToTryAgain() {
        var busy = Problems.unavailable("busy", Duration.ofSeconds(2));

        assertThat(CallProblems.operation(busy).getRetryAfterMillis()).isEqualTo(2000);
    }

    private static ProblemException problem(String detail, Map<String, Object> members) {
        return new ProblemException(ProblemCode.MALFORMED_REQUEST, detail, members, null, null);
    }

    private static ErrorInfo info(StatusRuntimeException failure) throws Exception {
        return StatusProto.fromThrowable(failure).getDetails(0).unpack(ErrorInfo.class);
    }
}
