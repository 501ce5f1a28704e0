package dev.ovation.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Entities with a partial user hash have the same answers as all others. */
class CrowdApiTest extends ApiFixture {

    private static final int USERS = 3 * TwoInstances.CROWD + 5;

    @Test
    void usersSeeTheirOwnReactionsWhetherOrNotTheyAreLoaded() {
        crowd();
        Hot.evict("letters", entity);

        for (int i = 0; i < USERS; i++) {
            assertThat(own("letters", "user" + i)).containsExactly(letter(i));
        }
        assertThat(own("letters", "nobody")).isEmpty();
        assertThat(counts("letters")).isEqualTo("a 27, d 26");
    }

    @Test
    void rulesHoldForEachUserWhetherOrNotTheUserIsLoaded() {
        crowd();
        Hot.evict("letters", entity);

        for (int i = 0; i < USERS; i++) {
            assertRefused(add("letters", "user" + i, letter(i)), 403, "reaction-already-exists");
        }
        assertRefused(add("letters", "user2", "b"), 403, "conflicting-reaction");
        assertOk(force("letters", "user2", "b"));
        assertOk(remove("letters", "user1", "d"));
        assertOk(remove("letters", "nobody", "d"));
        assertOk(add("letters", "newcomer", "a"));
        assertThat(own("letters", "user2")).isEqualTo(List.of("b"));
        assertThat(counts("letters")).isEqualTo("a 27, d 25, b 1");
    }

    /** Users with even numbers have a, odd ones d. */
    private void crowd() {
        for (int i = 0; i < USERS; i++) {
            given("letters", "user" + i, letter(i));
        }
    }

    private static String letter(int i) {
        return i % 2 == 0 ? "a" : "d";
    }
}
