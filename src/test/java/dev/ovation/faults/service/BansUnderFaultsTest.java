package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.NOTES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Crowd;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Erasures;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Bans while Postgres is slow or fails, and while their jobs stand still. */
@Beside
@ExtendWith(Pair.class)
class BansUnderFaultsTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** Each instance promises to know a ban a second after its answer. */
    @Test
    void anInstanceThatCannotReadTheBansAcceptsNothing() throws Exception {
        String user = "banned while no read ends";
        assertThat(Pair.one().add(NOTES, "before", user, "👍").status()).isEqualTo(200);
        assertThat(ban(Pair.other(), user, "keep").status()).isEqualTo(200);
        long banned = System.nanoTime();
        CompletableFuture<Answer> first;
        CompletableFuture<Answer> second;
        try (var readers = Pair.stage().hold("lock table ban_version in access exclusive mode")) {
            Wait.until("a second has passed", () -> System.nanoTime() - banned > SECOND);
            first = Stage.meanwhile(() -> Pair.one().add(NOTES, "after", user, "👍"));
            Pair.stage().awaitBlockedBy(readers);
            second = Stage.meanwhile(() -> Pair.one().add(NOTES, "after", user, "👎"));
            Wait.until("one is answered", () -> first.isDone() || second.isDone());
        }
        for (Answer answer : List.of(first.get(), second.get())) {
            assertThat(answer.status()).as(answer.body()).isNotEqualTo(200);
            assertThat(answer.json().at("/outcome").asString()).isEqualTo("refused");
        }
        lift(user);
    }

    @Test
    void aBanThatIsLiftedDuringAStepOfItsJobHidesNothing() throws Exception {
        String user = "hidden and lifted at once";
        String entity = "of a lifted ban";
        assertThat(Pair.one().add(NOTES, entity, user, "👍").status()).isEqualTo(200);
        CompletableFuture<Answer> hiding;
        CompletableFuture<Boolean> lifted;
        try (var counters = Pair.stage().hold(Stage.LOCK_COUNTERS.formatted(entity))) {
            hiding = Stage.meanwhile(() -> ban(Pair.one(), user, "hide"));
            Pair.stage().awaitBlockedBy(counters); // the step has begun
            lifted = Stage.meanwhile(() -> lift(user));
            Wait.until(
                    "the lifting waits, or missed the step",
                    () -> lifted.isDone() || Pair.stage().blocked() > 1);
        }
        assertThat(lifted.get()).isTrue();
        ended(hiding.get());

        assertThat(hidden(user)).isEmpty();
        assertThat(Pair.stage().stored(NOTES, entity, user)).containsExactly("👍");
    }

    /**
     * A ban that keeps reactions takes the place of one that hides them, in the middle of its job.
     */
    @Test
    void aBanThatIsChangedDuringItsJobHidesNoMore() throws Exception {
        String user = "hidden and then kept";
        String before = "before the change";
        String after = "after the change";
        assertThat(Pair.one().add(NOTES, before, user, "👍").status()).isEqualTo(200);
        Answer hiding = ban(Pair.one(), user, "hide");
        Wait.until("it is hidden", () -> hidden(user).equals(List.of("👍")));
        assertThat(ban(Pair.one(), user, "keep").status()).isEqualTo(200);
        Imports.run(
                Pair.one(),
                "kind=reactions",
                Imports.HEADER + "%s,%s,%s,👎,1000\n".formatted(NOTES, after, user));

        ended(hiding);

        assertThat(Pair.stage().stored(NOTES, after, user)).containsExactly("👎");
        Wait.until("it is back", () -> hidden(user).isEmpty());
        assertThat(Pair.stage().stored(NOTES, before, user)).containsExactly("👍");
        lift(user);
    }

    /** The job waits for the writes of instances that do not know the ban yet. */
    @Test
    void aBanThatIsErasedDuringItsJobHidesNoMore() throws Exception {
        String user = "hidden and then erased";
        String before = "before the erasure";
        String after = "after the erasure";
        assertThat(Pair.one().add(NOTES, before, user, "👍").status()).isEqualTo(200);
        Answer hiding = ban(Pair.one(), user, "hide");
        Wait.until("it is hidden", () -> hidden(user).equals(List.of("👍")));
        Erasures.user(Pair.one(), user);
        Wait.until(
                "the user may react",
                () -> Pair.one().add(NOTES, after, user, "👎").status() == 200);

        ended(hiding);

        assertThat(Pair.stage().stored(NOTES, after, user)).containsExactly("👎");
        assertThat(hidden(user)).isEmpty();
    }

    /** The first job may be about to hide for the last time. */
    @Test
    void aUserWhoIsBannedAgainGetsAnotherJob() throws Exception {
        String user = "banned twice";
        String entity = "of a second ban";
        assertThat(Pair.one().add(NOTES, entity, user, "👍").status()).isEqualTo(200);
        String first = Imports.id(ban(Pair.one(), user, "hide"));
        stop(first);
        lift(user);
        assertThat(Pair.stage().stored(NOTES, entity, user)).containsExactly("👍");

        assertThat(Imports.id(ban(Pair.one(), user, "hide"))).isNotEqualTo(first);

        Wait.until("it is hidden", () -> hidden(user).equals(List.of("👍")));
        lift(user);
    }

    /** Also one with the effect of the ban before: its job may be about to end. */
    @Test
    void aBanThatIsChangedGetsAnotherJobAndARepeatedOneDoesNot() throws Exception {
        String user = "banned in turn";
        String entity = "of several bans";
        assertThat(Pair.one().add(NOTES, entity, user, "👍").status()).isEqualTo(200);
        String hiding = Imports.id(ban(Pair.one(), user, "hide"));
        stop(hiding);
        assertThat(Imports.id(ban(Pair.other(), user, "hide"))).isEqualTo(hiding);

        String removing = Imports.id(ban(Pair.one(), user, "remove"));
        stop(removing);
        assertThat(ban(Pair.one(), user, "keep").status()).isEqualTo(200);
        assertThat(Imports.id(ban(Pair.one(), user, "remove"))).isNotEqualTo(removing);

        for (String job : List.of(hiding, removing)) {
            assertThat(Imports.job(Pair.one().port(), job).at("/state").asString())
                    .isEqualTo("cancelled");
        }
        lift(user);
        assertThat(hidden(user)).isEmpty();
        assertThat(Pair.stage().stored(NOTES, entity, user)).isEmpty();
    }

    /** Lets a job stand still for ever. */
    private static void stop(String job) {
        Pair.stage()
                .sql
                .update(
                        """
                        update job set holder = 'gone', lease_until = now() + interval '1 hour'
                        where  job_id = ?
                        """,
                        Long.parseLong(job));
    }

    @Test
    void aBanWhoseJobCannotBeginIsNotSaidToBeRefused() {
        String user = "banned without a job";
        Answer answer;
        var sql = Pair.stage().sql;
        sql.execute(
                """
                create function refuse() returns trigger language plpgsql as
                $$begin raise exception using errcode = 'lock_not_available'; end$$
                """);
        sql.execute(
                """
                create trigger refuse before insert on job for each row
                when (new.request ->> 'user_id' = '%s') execute function refuse()
                """
                        .formatted(user));
        try {
            answer = ban(Pair.one(), user, "hide");
        } finally {
            sql.execute("drop function refuse cascade");
        }
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(Pair.stage().rows("select reactions from user_ban where user_id = ?", user))
                .containsExactly("hide");
        assertThat(Crowd.code(answer)).isEqualTo("outcome-unknown");
        lift(user);
    }

    private static List<String> hidden(String user) {
        return Pair.stage()
                .rows(
                        """
                        select x.name from hidden_reaction h join reaction_name x on x.no = h.reaction
                        where  h.user_id = ?
                        """,
                        user);
    }

    private static Answer ban(Instance instance, String user, String reactions) {
        return instance.send("PUT", path(user), "{\"reactions\":\"" + reactions + "\"}");
    }

    /** Lifts the ban, and returns when all hidden reactions are back. */
    private static boolean lift(String user) {
        Wait.until(
                "the ban is lifted",
                () -> Pair.other().send("DELETE", path(user), null).status() == 200);
        return true;
    }

    private static String path(String user) {
        return "/users/ban?" + Instance.encode(Map.of("user_id", user, "namespace_id", NOTES));
    }

    /** Waits until the job of an answer has ended, done or not. */
    private static void ended(Answer answer) {
        String job = Imports.id(answer);
        Wait.until("the job ends", () -> Imports.job(Pair.other().port(), job).has("finished_at"));
    }
}
