package dev.ovation.hot.script;

import static dev.ovation.hot.script.AnonymizeScript.Reply.BUSY;
import static dev.ovation.hot.script.AnonymizeScript.Reply.FENCED;
import static dev.ovation.hot.script.AnonymizeScript.Reply.OK;
import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.P;
import static dev.ovation.hot.script.HotFixture.committed;
import static dev.ovation.hot.script.HotFixture.untouched;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.Event;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.RedisSchema;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

class AnonymizeScriptTest {

    private final AnonymizeScript script = new AnonymizeScript();
    private final HotFixture hot = new HotFixture();

    @Test
    void onlyIdSchemaVersionAndOpOfTheCheckpointEntryRemain() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.ack(1, committed("op1", 1));

        assertThat(run(hot.fence, ANN)).isEqualTo(OK);

        assertThat(hot.outboxIds()).containsExactly("1-1");
        assertThat(hot.outbox().getFirst().getBody())
                .isEqualTo(
                        Map.of(Event.FIELD, String.join(RedisSchema.PART, "s", "1", "op", "op1")));
        assertThat(hot.dirty("{7}:outbox")).isTrue();
        assertThat(run(hot.fence, ANN)).isEqualTo(OK);
    }

    @Test
    void theNextEventFollowsTheAnchorAsBefore() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.ack(1, committed("op1", 1));
        run(hot.fence, ANN);

        hot.add(BEN, LIKE).accepted();

        assertThat(hot.outboxIds()).containsExactly("1-1", "1-2");
    }

    @Test
    void anUnacknowledgedEventIsNotAnonymized() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        var before = hot.everything();

        assertThat(run(hot.fence, ANN)).isEqualTo(BUSY);
        assertThat(hot.everything()).isEqualTo(before);
    }

    @Test
    void leavesTheEventsOfOthersAndThoseThatGoAnyway() {
        assertThat(run(hot.fence, ANN)).isEqualTo(OK);
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.add(BEN, LIKE).accepted();
        var before = hot.everything();

        assertThat(run(hot.fence, ANN)).isEqualTo(OK);
        assertThat(hot.everything()).isEqualTo(before);
    }

    @Test
    void isFencedInAnotherEpochOnAnotherServerAndOnAReplica() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.ack(1, committed("op1", 1));
        var before = hot.everything();

        for (Fence fence :
                List.of(
                        new Fence(2, hot.incarnation()),
                        new Fence(1, "0123456789012345678901234567890123456789"))) {
            assertThat(run(fence, ANN)).isEqualTo(FENCED);
        }
        hot.demote();
        assertThat(run(hot.fence, ANN)).isEqualTo(FENCED);
        assertThat(hot.everything()).isEqualTo(before);
    }

    @Test
    void passesAtMaxmemory() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.ack(1, committed("op1", 1));
        hot.fill();

        assertThat(run(hot.fence, ANN)).isEqualTo(OK);

        assertThat(hot.outbox().getFirst().getBody().get(Event.FIELD)).doesNotContain(ANN);
        assertThat(hot.outboxIds()).containsExactly("1-1");
    }

    private AnonymizeScript.Reply run(Fence fence, String user) {
        return script.execute(hot.async, P, fence, user).join();
    }
}
