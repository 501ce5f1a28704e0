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

    /** Clients refuse trailers of more than 8 KB. */
    @Test
    void longTextsAreCutOrLeftOut() throws Exception {
        var members = Map.of("short", List.of("👍"), "long", "x".repeat(1001));
        var problem =
                new ProblemException(
                        ProblemCode.MALFORMED_REQUEST, "y".repeat(2000), members, null, null);
        var failure = CallProblems.status(problem, false, "id");

        assertThat(failure.getStatus().getDescription()).hasSize(1000);
        assertThat(info(failure).getMetadataMap())
                .containsEntry("short", "[\"👍\"]")
                .doesNotContainKeys("long", "outcome");
    }

    private static ErrorInfo info(StatusRuntimeException failure) throws Exception {
        return StatusProto.fromThrowable(failure).getDetails(0).unpack(ErrorInfo.class);
    }
}
