package dev.ovation.faults.service;

import static dev.ovation.faults.Stage.NOTES;
import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Crowd;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Erasures;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

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

        assertThat(state(Imports.id(hiding))).isEqualTo("cancelled");
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
            assertThat(state(job)).isEqualTo("cancelled");
        }
        lift(user);
        assertThat(hidden(user)).isEmpty();
        assertThat(Pair.stage().stored(NOTES, entity, user)).isEmpty();
    }

    /** A ban in one namespace begins no return of the hidden reactions in others. */
    @Test
    void aBanElsewhereLetsHiddenReactionsReturn() {
        String user = "hidden in one namespace again";
        String back = "comes back";
        hideEverywhere(user, back, "stays hidden");
        String returning = halted("show-user-reactions", user, () -> lifting(user, null));

        assertThat(ban(Pair.one(), user, POSTS, "hide").status()).isEqualTo(202);
        resume(returning);

        Wait.until(
                "the rest is back",
                () -> Pair.stage().stored(NOTES, back, user).equals(List.of("👍")));
        assertThat(hidden(user)).containsExactly("🔥");
        lift(user, POSTS);
        assertThat(hidden(user)).isEmpty();
    }

    /** The last step of the return may be committed while Redis has the state from before. */
    @Test
    void aRepeatedLiftingJoinsTheReturnOfTheFirst() {
        String user = "lifted twice";
        String returning = returning(user);

        Answer again = lifting(user, NOTES);
        assertThat(again.status()).as(again.body()).isEqualTo(202);
        assertThat(Imports.id(again)).isEqualTo(returning);

        resume(returning);
        lift(user);
        assertThat(state(returning)).isEqualTo("done");
    }

    @Test
    void aReturnUnderWayLooksForTheReactionsOfAnotherLiftedBan() {
        String user = "lifted in two namespaces";
        String returning = returning(user);
        assertThat(Pair.other().add(POSTS, "of another ban", user, "🔥").status()).isEqualTo(200);
        assertThat(ban(Pair.other(), user, POSTS, "hide").status()).isEqualTo(202);
        Wait.until("it is hidden", () -> hidden(user).equals(List.of("🔥")));

        lift(user, POSTS);

        assertThat(state(returning)).isEqualTo("done");
        assertThat(hidden(user)).isEmpty();
        assertThat(Pair.stage().stored(POSTS, "of another ban", user)).containsExactly("🔥");
    }

    /** Returns the job of a lifted ban; it stands still, and no row is left for it. */
    private static String returning(String user) {
        assertThat(Pair.other().add(NOTES, "of " + user, user, "👍").status()).isEqualTo(200);
        assertThat(ban(Pair.other(), user, "hide").status()).isEqualTo(202);
        Wait.until("it is hidden", () -> hidden(user).equals(List.of("👍")));
        String returning = halted("show-user-reactions", user, () -> lifting(user, NOTES));
        Pair.stage().sql.update("delete from hidden_reaction where user_id = ?", user);
        return returning;
    }

    /** An erasure looks for reactions in its third phase, and for hidden ones in its fifth. */
    @Test
    void hiddenReactionsDoNotReturnDuringAnErasure() {
        String user = "hidden and erased";
        hideEverywhere(user, "erased note", "erased post");
        String erasure =
                halted(
                        "erase-user",
                        user,
                        () -> Pair.one().send("DELETE", Erasures.ofUser(user), null));
        Pair.stage()
                .sql
                .update(
                        "update job set position = '{\"phase\": 4}' where job_id = ?",
                        Long.parseLong(erasure));

        Answer lifted = lifting(user, null);
        Wait.until("the return leaves its worker", () -> isDeferred(Imports.id(lifted)));
        resume(erasure);
        Erasures.awaitDone(Pair.one().port(), erasure);
        resume(Imports.id(lifted));
        ended(lifted);

        assertThat(hidden(user)).isEmpty();
        assertThat(Pair.stage().rows("select 1 from named_reaction where user_id = ?", user))
                .isEmpty();
    }

    /** The erasure cancels the return, whose step changes nothing then. */
    @Test
    void aReturnUnderWayChangesNothingDuringAnErasure() throws Exception {
        String user = "returning and erased";
        String entity = "of a return and an erasure";
        for (String each : List.of(user, "another user")) { // whose counter stays
            assertThat(Pair.one().add(NOTES, entity, each, "👍").status()).isEqualTo(200);
        }
        ended(ban(Pair.one(), user, "hide"));
        CompletableFuture<Answer> lifted;
        CompletableFuture<Answer> erased;
        try (var counters = Pair.stage().hold(Stage.LOCK_COUNTERS.formatted(entity))) {
            lifted = Stage.meanwhile(() -> lifting(user, NOTES));
            Pair.stage().awaitBlockedBy(counters); // the step has begun
            erased = Stage.meanwhile(() -> Pair.one().send("DELETE", Erasures.ofUser(user), null));
            Wait.until(
                    "the return is cancelled, or the erasure waits for it",
                    () ->
                            Pair.stage().blocked() > 1
                                    || "cancelled".equals(newest("show-user-reactions")));
        }
        ended(lifted.get());
        Erasures.done(Pair.one().port(), erased.get());

        assertThat(hidden(user)).isEmpty();
        assertThat(Pair.stage().stored(NOTES, entity, user)).isEmpty();
    }

    /** Returns the state of the newest job of a kind. */
    private static String newest(String kind) {
        return Pair.stage()
                .rows("select state from job where kind = ? order by job_id desc limit 1", kind)
                .getFirst();
    }

    private static boolean isDeferred(String job) {
        return Pair.stage()
                .rows(
                        """
                        select 1 from job
                        where  job_id = ?::bigint and holder = '' and state <> 'cancelled'
                        and    lease_until > clock_timestamp()
                        """,
                        job)
                .equals(List.of("1"));
    }

    /** The job of that ban may come to them later. */
    @Test
    void hiddenReactionsThatAnotherBanRemovesDoNotReturn() {
        String user = "hidden and removed";
        String back = "returns";
        String away = "is removed";
        hideEverywhere(user, back, away);
        String removing =
                halted("remove-user-reactions", user, () -> ban(Pair.one(), user, POSTS, "remove"));

        lift(user, null);

        assertThat(Pair.stage().stored(NOTES, back, user)).containsExactly("👍");
        assertThat(Pair.stage().stored(POSTS, away, user)).isEmpty();
        assertThat(hidden(user)).containsExactly("🔥");
        resume(removing);
        Wait.until("it is removed", () -> hidden(user).isEmpty());
        lift(user, POSTS);
        assertThat(Pair.stage().stored(POSTS, away, user)).isEmpty();
    }

    /** A user with a hidden reaction in each of two namespaces. */
    private static void hideEverywhere(String user, String note, String post) {
        assertThat(Pair.one().add(NOTES, note, user, "👍").status()).isEqualTo(200);
        assertThat(Pair.one().add(POSTS, post, user, "🔥").status()).isEqualTo(200);
        assertThat(ban(Pair.one(), user, null, "hide").status()).isEqualTo(202);
        Wait.until("both are hidden", () -> hidden(user).size() == 2);
    }

    /** Lets the job that a request begins stand still from its beginning; returns its number. */
    private static String halted(String kind, String user, Supplier<Answer> request) {
        var sql = Pair.stage().sql;
        sql.execute(
                """
                create function halt() returns trigger language plpgsql as
                $$begin
                    new.holder := 'gone';
                    new.lease_until := now() + interval '1 hour';
                    return new;
                end$$
                """);
        sql.execute(
                """
                create trigger halt before insert on job for each row
                when (new.kind = '%s' and new.request ->> 'user_id' = '%s') execute function halt()
                """
                        .formatted(kind, user));
        try {
            return Imports.id(request.get());
        } finally {
            sql.execute("drop function halt cascade");
        }
    }

    private static void resume(String job) {
        Pair.stage()
                .sql
                .update(
                        "update job set holder = '', lease_until = 'epoch' where job_id = ?",
                        Long.parseLong(job));
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

    private static String state(String job) {
        return Imports.job(Pair.one().port(), job).at("/state").asString();
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
        return ban(instance, user, NOTES, reactions);
    }

    private static Answer ban(
            Instance instance, String user, @Nullable String namespace, String reactions) {
        return instance.send("PUT", path(user, namespace), "{\"reactions\":\"" + reactions + "\"}");
    }

    /** Lifts the ban, and returns when all hidden reactions are back. */
    private static boolean lift(String user) {
        return lift(user, NOTES);
    }

    private static boolean lift(String user, @Nullable String namespace) {
        Wait.until("the ban is lifted", () -> lifting(user, namespace).status() == 200);
        return true;
    }

    private static Answer lifting(String user, @Nullable String namespace) {
        return Pair.other().send("DELETE", path(user, namespace), null);
    }

    private static String path(String user, @Nullable String namespace) {
        var query = new TreeMap<>(Map.of("user_id", user));
        if (namespace != null) {
            query.put("namespace_id", namespace);
        }
        return "/users/ban?" + Instance.encode(query);
    }

    /** Waits until the job of an answer has ended, done or not. */
    private static void ended(Answer answer) {
        String job = Imports.id(answer);
        Wait.until("the job ends", () -> Imports.job(Pair.other().port(), job).has("finished_at"));
    }
}
