package dev.ovation.strategies;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.toMap;

import dev.ovation.testing.Instance.Answer;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** The contract under concurrent requests. */
abstract class ParallelContract extends ReactionsContract {

    private static final int USERS = 7;
    private static final int CHANGES = 43;

    @RepeatedTest(5)
    void ofTwoFirstKindsOneIsWithinTheLimit() throws Exception {
        List<Answer> answers =
                together(
                        List.of(
                                () -> add("", "single", "ann", "a"),
                                () -> add("", "single", "ben", "b")));

        assertThat(answers.stream().map(Answer::status)).containsExactlyInAnyOrder(200, 403);
        assertThat(recount("single")).hasSize(1);
        assertThat(counts("single")).isEqualTo(recount("single"));
    }

    @Test
    void theSameManyTimesIsAddedOnce() throws Exception {
        List<Callable<Answer>> same =
                IntStream.range(0, USERS)
                        .<Callable<Answer>>mapToObj(_ -> () -> add("", "letters", "ann", "a"))
                        .toList();

        assertThat(together(same).stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(counts("letters")).isEqualTo(Map.of("a", 1L));
    }

    @Test
    void countsMatchRowsAndAnswersAfterConcurrentChanges() throws Exception {
        List<Callable<Set<String>>> users =
                IntStream.range(0, USERS)
                        .<Callable<Set<String>>>mapToObj(n -> () -> hammer("user" + n, n))
                        .toList();
        Map<String, Long> expected = new HashMap<>();
        List<Set<String>> shownAtWrites = together(users);
        shownAtWrites.forEach(own -> own.forEach(each -> expected.merge(each, 1L, Long::sum)));

        assertThat(counts("letters")).isEqualTo(expected);
        assertThat(recount("letters")).isEqualTo(expected);
        Map<String, Set<String>> shown =
                IntStream.range(0, USERS)
                        .boxed()
                        .collect(
                                toMap(
                                        n -> "user" + n,
                                        n -> Set.copyOf(own("letters", "user" + n))));
        for (int n = 0; n < USERS; n++) {
            assertThat(shown.get("user" + n)).isEqualTo(shownAtWrites.get(n));
        }
    }

    /**
     * Adds, forces and removes at random; returns the user's reactions according to the answers.
     */
    private Set<String> hammer(String user, int seed) {
        var random = new Random(seed);
        Set<String> own = new HashSet<>();
        for (int i = 0; i < CHANGES; i++) {
            String reaction = List.of("a", "b", "c", "d").get(random.nextInt(4));
            if (random.nextInt(3) == 0) {
                assertOk(remove("letters", user, reaction));
                own.remove(reaction);
            } else if (add("?force=true", "letters", user, reaction).status() == 200) {
                own.removeAll(reaction.equals("b") ? Set.of("a", "c") : Set.of());
                own.removeAll(
                        reaction.equals("a") || reaction.equals("c") ? Set.of("b") : Set.of());
                own.add(reaction);
            }
        }
        return own;
    }

    /** Starts all at the same moment and returns their results. */
    private static <T> List<T> together(List<Callable<T>> actions)
            throws InterruptedException, ExecutionException {
        var start = new CyclicBarrier(actions.size());
        List<T> results = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> futures =
                    actions.stream()
                            .map(
                                    action ->
                                            threads.submit(
                                                    () -> {
                                                        start.await();
                                                        return action.call();
                                                    }))
                            .toList();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
        }
        return results;
    }
}
