package dev.ovation.faults;

import static dev.ovation.faults.Stage.POSTS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.hot.state.RedisSchema;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Patience;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** An entity with more reactors than are loaded at once. */
@Beside
class HighCardinalityEntityTest {

    private static final int CROWD = 7;
    private static final int BOUND = 17;
    private static final String ENTITY = "crowded";
    private static final List<String> USERS =
            IntStream.range(0, 53).mapToObj(n -> "user-" + n).toList();

    private static Stage stage;
    private static Instance service;

    @BeforeAll
    static void startWithReactions() {
        stage = Stage.open();
        service =
                stage.start(
                        Patience.longWith(
                                "ovation.internal.hot.complete-limit=" + CROWD,
                                "ovation.internal.hot.partial-limit=" + BOUND,
                                "ovation.internal.hot.fill-filters=false"));
        USERS.forEach(user -> service.add(POSTS, ENTITY, user, "👍"));
    }

    @AfterAll
    static void stop() {
        try (var _ = stage) {
            stage.assertSound();
        }
    }

    @Test
    void itsUsersAreLookedUpWhenTheyAreAskedFor() {
        stage.evict(ENTITY);
        Wait.until(
                "a read installs it",
                () -> {
                    assertThat(Stage.counts(service.read(POSTS, ENTITY, null)))
                            .isEqualTo(Map.of("👍", (long) USERS.size()));
                    return !users(ENTITY).isEmpty();
                });
        assertThat(hot()).containsEntry("complete", "0").doesNotContainKey("u:user-0");

        assertThat(own("user-0")).containsExactly("👍");
        assertThat(own("stranger")).isEmpty();
        Wait.until("they are installed", () -> users(ENTITY).containsKey("u:stranger"));
        assertThat(hot()).containsKeys("u:user-0", "u:stranger");
    }

    @Test
    void thePartialUserHashStaysBoundedAndServesAllUsers() {
        for (int i = 0; i < 2; i++) {
            assertThat(USERS).allSatisfy(user -> assertThat(own(user)).containsExactly("👍"));
        }
        assertThat(hot()).hasSizeLessThanOrEqualTo(BOUND + 1);
    }

    @Test
    void ruleChecksIncludeReactionsOfUsersThatAreNotLoaded() {
        stage.evict(ENTITY);
        assertThat(Crowd.code(service.add(POSTS, ENTITY, "user-1", "👍")))
                .isEqualTo("reaction-already-exists");
        assertThat(Crowd.code(service.add(POSTS, ENTITY, "user-2", "👎")))
                .isEqualTo("conflicting-reaction");
        assertThat(service.add(POSTS, ENTITY, "user-3", "👎", "force=true").status())
                .isEqualTo(200);
        assertThat(own("user-3")).containsExactly("👎");
        assertThat(service.add(POSTS, ENTITY, "user-3", "👍", "force=true").status())
                .isEqualTo(200);
        assertThat(stage.count(POSTS, ENTITY, "👍")).isEqualTo(USERS.size());
    }

    /** Uncommitted changes of users exist only in the hash, so they must stay. */
    @Test
    void usersWithUncommittedChangesStayInAPartialHashAtItsBound() {
        String entity = "crowded by writers";
        USERS.subList(0, BOUND).forEach(user -> service.add(POSTS, entity, user, "👍"));
        List<String> late = USERS.subList(BOUND, USERS.size());
        List<CompletableFuture<Answer>> writes;
        try (var _ = stage.holdRelays()) {
            writes =
                    late.stream()
                            .map(
                                    user ->
                                            Stage.meanwhile(
                                                    () -> service.add(POSTS, entity, user, "👍")))
                            .toList();
            stage.awaitProposed(POSTS, entity, USERS.size());
            assertThat(users(entity))
                    .containsEntry("complete", "0")
                    .containsKeys(late.stream().map(user -> "u:" + user).toArray(String[]::new))
                    .hasSizeGreaterThan(BOUND);
            assertThat(Stage.own(service.read(POSTS, entity, late.getFirst())))
                    .containsExactly("👍");
        }
        assertThat(writes).allSatisfy(write -> assertThat(write.get().status()).isEqualTo(200));
        stage.awaitDrained(); // dirty users must stay until then
        assertThat(USERS)
                .allSatisfy(
                        user ->
                                assertThat(Stage.own(service.read(POSTS, entity, user)))
                                        .containsExactly("👍"));
        assertThat(users(entity)).hasSizeLessThanOrEqualTo(BOUND + 1);
        assertThat(stage.count(POSTS, entity, "👍")).isEqualTo(USERS.size());
    }

    private static Map<String, String> hot() {
        stage.awaitDrained();
        return users(ENTITY);
    }

    private static Map<String, String> users(String entity) {
        return stage.redis()
                .hgetall(
                        RedisSchema.users(
                                Stage.partition(POSTS, entity), Stage.key(POSTS, entity)));
    }

    private static List<String> own(String user) {
        return Stage.own(service.read(POSTS, ENTITY, user));
    }
}
