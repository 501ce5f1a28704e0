package dev.ovation.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.crowd.UserReactions.Given;
import dev.ovation.testing.Crowded;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

/** What a page costs does not grow with what the user reacted to. */
class UserReactionsPlanTest {

    private static final int PAGE = 50;

    @RegisterExtension static final Crowded CROWDED = new Crowded();

    private final UserReactions reactions = new UserReactions(CROWDED.jdbc());

    @ParameterizedTest
    @CsvSource({"auto, ", "force_generic_plan, ", "auto, posts", "force_generic_plan, posts"})
    void aPageReadsAboutAsManyEntriesAsItShows(String plans, String namespace) {
        CROWDED.plans(plans);
        list(namespace, 6);

        assertThat(CROWDED.work(() -> list(namespace, 10))).isLessThan(10 * 10 * PAGE);
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
