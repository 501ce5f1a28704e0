package dev.ovation.reaction;

import dev.ovation.testing.TwoInstances;

import org.junit.jupiter.api.extension.ExtendWith;

/** The older client against the whole service. */
@ExtendWith(TwoInstances.class)
class PredecessorClientOnTheWholeServiceTest extends PredecessorClientContract {

    @Override
    int port() {
        return TwoInstances.one().port();
    }
}
