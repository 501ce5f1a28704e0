package dev.ovation.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class BudgetTest {

    private static final Offset<Double> ROUNDING = within(1e-9);

    @Test
    void eachDebtIsPaidAsMuchAsEveryOther() {
        assertThat(Budget.paid(List.of(3.0, 5.0), 4)).isEqualTo(2, ROUNDING);
    }

    @Test
    void theSurplusOfASmallDebtIsSharedByTheOthers() {
        assertThat(Budget.paid(List.of(9.0, 1.0, 0.0, 5.0), 9)).isEqualTo(4, ROUNDING);
    }

    @Test
    void noMoreIsPaidThanIsOwed() {
        assertThat(Budget.paid(List.of(1.0, 2.0), 77)).isEqualTo(2, ROUNDING);
        assertThat(Budget.paid(List.of(), 77)).isZero();
    }

    @Test
    void oneThatIsAloneWaitsForItsDebtOverTheShare() {
        assertThat(Budget.wait(List.of(2.0, 0.0), 2, 0.05)).isEqualTo(40, ROUNDING);
    }

    @Test
    void aSmallDebtDoesNotWaitUntilALargeOneIsPaid() {
        assertThat(Budget.wait(List.of(100.0, 0.5), 0.5, 0.05)).isEqualTo(20, ROUNDING);
        assertThat(Budget.wait(List.of(100.0, 0.5), 100, 0.05)).isEqualTo(2010, ROUNDING);
    }

    /** Both methods agree on a debt: its remaining amount, and the time of its end. */
    @Test
    void afterItsWaitADebtIsGone() {
        var debts = List.of(0.3, 7.0, 2.0, 2.5);
        for (double debt : debts) {
            double wait = Budget.wait(debts, debt, 0.05);
            assertThat(Budget.paid(debts, wait * 0.05)).isEqualTo(debt, ROUNDING);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 1.01, Double.NaN})
    void aShareThatMakesNoSenseIsRefused(double share) {
        assertThatThrownBy(() -> new BackgroundSettings(share))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ovation.background.share");
    }
}
