package dev.ovation.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.crowd.UserReactionList.UserReactionRow;
import dev.ovation.store.shard.Shards;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Crowded;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

/** The cost of a page depends on the user's own reactions, not on those of others. */
@Beside
class UserReactionListPlanTest {

    private static final int PAGE = 50;

    /**
     * Page of the whole list: each page sorts all 21,000 reactions, and pages of 50 take a minute.
     */
    private static final int LARGE_PAGE = 331;

    @RegisterExtension static final Crowded CROWDED = new Crowded();

    private final UserReactionList reactions =
            new UserReactionList(CROWDED.jdbc(), Shards.undivided());

    @ParameterizedTest
    @CsvSource({"auto, ", "force_generic_plan, ", "auto, posts", "force_generic_plan, posts"})
    void aPageReadsOnlyTheReactionsOfItsUser(String plans, String namespace) {
        CROWDED.plans(plans);
        list(namespace, 6, PAGE);

        assertThat(CROWDED.work(() -> list(namespace, 1, PAGE)))
                .isLessThan(5 * 3 * Crowded.COLLECTED);
    }

    @Test
    void theWholeListHoldsEachOnceInOrder() {
        List<UserReactionRow> all = list(null, 3 * Crowded.COLLECTED, LARGE_PAGE);

        assertThat(all).hasSize(3 * Crowded.COLLECTED).doesNotHaveDuplicates();
        assertThat(all.stream().map(UserReactionRow::at))
                .isSortedAccordingTo((a, b) -> Long.compare(b, a));
    }

    private List<UserReactionRow> list(String namespace, int pages, int size) {
        var all = new ArrayList<UserReactionRow>();
        UserReactionRow from = UserReactionRow.NONE;
        for (int i = 0; i < pages; i++) {
            List<UserReactionRow> page = reactions.list(Crowded.COLLECTOR, namespace, from, size);
            all.addAll(page);
            if (page.size() < size) {
                break;
            }
            from = page.getLast();
        }
        return all;
    }
}
