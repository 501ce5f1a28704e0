package dev.ovation.faults.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.faults.Crowd;
import dev.ovation.faults.Parts;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Rules are tightened while both instances write, or while one of them cannot read the change. */
@Beside
@ExtendWith(Pair.class)
class RulesChangeUnderLoadTest {

    private static final String TIGHTENED = "tightened";
    private static final List<String> KINDS = List.of("👍", "🔥", "🎉", "😂", "❤️");

    /** Greatest number of distinct reactions of an entity, by version of the rules. */
    private static final List<Integer> LIMITS = List.of(5, 4, 3, 2, 1);

    private static final int ENOUGH = 37;

    /** First entity of the first writer. */
    private static final String FIRST = "writer-0-0";

    /** An add as its client saw it; the versions of rules are indexes into {@link #LIMITS}. */
    private record Add(int kindsWithIt, int newestBefore, int newestAfter, Answer answer) {}

    private final AtomicInteger announced = new AtomicInteger();
    private final AtomicInteger inForce = new AtomicInteger();
    private final ConcurrentLinkedQueue<Add> adds = new ConcurrentLinkedQueue<>();

    @Test
    void aReloadInTheMiddleOfLoadHoldsForEveryChangeAcceptedAfterIt() throws Exception {
        configure(Pair.one(), LIMITS.getFirst());
        var running = new AtomicBoolean(true);
        var writers = new ArrayList<CompletableFuture<Integer>>();
        for (int i = 0; i < 4; i++) {
            String writer = "writer-" + i + '-';
            var through = i % 2 == 0 ? Pair.one() : Pair.other();
            writers.add(Stage.meanwhile(() -> write(through, writer, running)));
        }
        try {
            Wait.until(
                    "an entity shows all kinds",
                    () -> Pair.stage().stored(TIGHTENED, FIRST, "ann").size() == KINDS.size());
            for (int next = 1; next < LIMITS.size(); next++) {
                awaitLoad();
                announced.set(next);
                configure(next % 2 == 0 ? Pair.one() : Pair.other(), LIMITS.get(next));
                inForce.set(next);
            }
            awaitLoad();
        } finally {
            running.set(false);
        }
        for (var writer : writers) {
            assertThat(writer.get()).isPositive();
        }

        assertThat(adds).allSatisfy(RulesChangeUnderLoadTest::assertJudgedByRulesOfItsTime);
        assertWhatIsThereStaysAndCanBeTakenBack();
        Pair.stage().assertSound();
        Pair.stage().evict("writer-*"); // they are many, and already checked
    }

    @Test
    void aWriteUnderOlderRulesIsRefusedUntilTheNewOnesAreRead() {
        configure(Pair.one(), 5);
        String entity = "older rules";
        add(Pair.one(), entity, "ann", "🔥");
        Pair.stage().awaitDrained();
        Pair.postgresLink().cut(); // first, or it might read newer rules just then
        configure(Pair.other(), 1);
        assertThat(versionKnownTo(Pair.one())).isLessThan(versionKnownTo(Pair.other()));
        Parts.assertRefused(add(Pair.one(), entity, "ben", "🎉"));
        // An addition is refused also because the bans cannot be read, a removal is not.
        for (int i = 0; i < 3; i++) {
            Parts.assertRefused(Pair.one().remove(TIGHTENED, entity, "ann", "🔥"));
        }
        assertThat(Pair.stage().unapplied()).isZero();
        assertThat(Crowd.code(add(Pair.other(), entity, "ben", "🎉")))
                .isEqualTo("max-uniq-reactions");

        Pair.postgresLink().mend();
        Wait.until(
                "the instance has the new rules",
                () ->
                        Crowd.code(add(Pair.one(), entity, "ben", "🎉"))
                                .equals("max-uniq-reactions"));
        assertThat(add(Pair.one(), entity, "ben", "🔥").status()).isEqualTo(200);
        assertThat(versionKnownTo(Pair.one())).isEqualTo(versionKnownTo(Pair.other()));
    }

    private void awaitLoad() {
        int until = adds.size() + ENOUGH;
        Wait.until("there is load", () -> adds.size() >= until);
    }

    /**
     * Adds one reaction after the other to entity after entity; returns the number of accepted
     * ones.
     */
    private int write(Instance through, String writer, AtomicBoolean running) {
        int accepted = 0;
        for (int n = 0; running.get(); n++) {
            int kinds = 0;
            for (String kind : KINDS) {
                int before = inForce.get();
                var answer = add(through, writer + n, "ann", kind);
                adds.add(new Add(kinds + 1, before, announced.get(), answer));
                kinds += answer.status() == 200 ? 1 : 0;
            }
            accepted += kinds;
        }
        return accepted;
    }

    private static void assertJudgedByRulesOfItsTime(Add add) {
        if (add.answer().status() == 200) {
            assertThat(add.kindsWithIt()).isLessThanOrEqualTo(LIMITS.get(add.newestBefore()));
        } else {
            assertThat(Crowd.code(add.answer())).isEqualTo("max-uniq-reactions");
            assertThat(add.kindsWithIt()).isGreaterThan(LIMITS.get(add.newestAfter()));
        }
    }

    private static void assertWhatIsThereStaysAndCanBeTakenBack() {
        var stored = Pair.stage().stored(TIGHTENED, FIRST, "ann");
        assertThat(stored).as("accepted by the loosest rules").hasSize(LIMITS.getFirst());
        for (String kind : stored) {
            assertThat(Pair.one().remove(TIGHTENED, FIRST, "ann", kind).status()).isEqualTo(200);
        }
        assertThat(add(Pair.other(), FIRST, "ann", "🔥").status()).isEqualTo(200);
    }

    private static Answer add(Instance through, String entity, String user, String kind) {
        return through.add(TIGHTENED, entity, user, kind);
    }

    private static long versionKnownTo(Instance instance) {
        return instance.get("/actuator/namespaces").json().at("/version").asLong();
    }

    /** Puts the rules of the stage in force, with a further namespace that has this limit. */
    private static void configure(Instance through, int limit) {
        String rules = Stage.rulesWith(TIGHTENED, limit);
        var answer =
                through.send("POST", "/configuration", rules, "Content-Type", "application/yaml");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }
}
