package dev.ovation.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.crowd.UserReactions.Given;
import dev.ovation.testing.Crowded;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What a page costs does not grow with what the user reacted to. */
@TestInstance(Lifecycle.PER_CLASS)
class UserReactionsPlanTest {

    private static final int PAGE = 50;

    private Crowded crowded;
    private UserReactions reactions;

    @BeforeAll
    void fill() throws SQLException {
        crowded = new Crowded();
        reactions = new UserReactions(crowded.jdbc);
    }

    @AfterAll
    void close() {
        crowded.close();
    }

    @ParameterizedTest
    @CsvSource({"auto, ", "force_generic_plan, ", "auto, posts", "force_generic_plan, posts"})
    void aPageReadsAboutAsManyEntriesAsItShows(String plans, String namespace) {
        crowded.jdbc.execute("set plan_cache_mode = " + plans);
        list(namespace, 6);

        assertThat(crowded.work(() -> list(namespace, 10))).isLessThan(10 * 10 * PAGE);
    }

    @Test
    void theWholeListHoldsEachOnceInOrder() {
        List<Given> all = list(null, 3 * Crowded.COLLECTED);

        assertThat(all).hasSize(3 * Crowded.COLLECTED).doesNotHaveDuplicates();
        assertThat(all.stream().map(Given::at)).isSortedAccordingTo((a, b) -> Long.compare(b, a));
    }

    private List<Given> list(String namespace, int pages) {
        var all = new ArrayList<Given>();
        Given from = Given.NONE;
        for (int i = 0; i < pages; i++) {
            List<Given> page = reactions.list(Crowded.COLLECTOR, namespace, from, PAGE);
            all.addAll(page);
            if (page.size() < PAGE) {
                break;
            }
            from = page.getLast();
        }
        return all;
    }
}
