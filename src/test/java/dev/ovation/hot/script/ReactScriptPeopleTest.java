package dev.ovation.hot.script;

import static dev.ovation.hot.script.HotFixture.ANN;
import static dev.ovation.hot.script.HotFixture.BEN;
import static dev.ovation.hot.script.HotFixture.DISLIKE;
import static dev.ovation.hot.script.HotFixture.LIKE;
import static dev.ovation.hot.script.HotFixture.complete;
import static dev.ovation.hot.script.HotFixture.counts;
import static dev.ovation.hot.script.HotFixture.partial;
import static dev.ovation.hot.script.HotFixture.untouched;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.Counter;
import dev.ovation.hot.script.ReactScript.Reply.Miss;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** {@code react.lua}: the number of users with a reaction. */
class ReactScriptPeopleTest {

    private final HotFixture hot = new HotFixture();

    @Test
    void theFirstReactionOfAUserAddsOne() {
        hot.load(complete(List.of(new Counter(LIKE, 1, 1, 1)), Map.of(BEN, List.of(LIKE))));

        hot.add(ANN, LIKE).accepted();
        assertThat(people()).isEqualTo(2);

        hot.add(ANN, DISLIKE).accepted();
        hot.put(ANN, "1", "2").accepted();
        assertThat(people()).isEqualTo(2);
    }

    @Test
    void theLastOneTakenBackRemovesOne() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();
        hot.add(ANN, DISLIKE).accepted();
        hot.add(BEN, LIKE).accepted();

        hot.remove(ANN, LIKE).accepted();
        assertThat(people()).isEqualTo(2);

        hot.remove(ANN, DISLIKE).accepted();
        assertThat(people()).isEqualTo(1);

        hot.put(BEN).accepted();
        assertThat(people()).isZero();
    }

    @Test
    void aReplacementAndANoOpWithAKeyKeepTheNumber() {
        hot.load(untouched());
        hot.add(ANN, LIKE).accepted();

        hot.add(ANN, DISLIKE).excludedBy(LIKE).force().accepted();
        hot.add(ANN, DISLIKE).existingIsFine().keyed("key", "request").accepted();
        hot.remove(BEN, LIKE).keyed("other", "request").accepted();

        assertThat(people()).isEqualTo(1);
    }

    @Test
    void usersOfAPartialEntityAreLookedUpFirst() {
        hot.load(partial(List.of(new Counter(LIKE, 900, 1, 2)), Map.of()));
        hot.lookUp(ANN, LIKE);
        hot.lookUp(BEN);

        hot.add(ANN, DISLIKE).accepted();
        assertThat(people()).isEqualTo(900);

        hot.add(BEN, LIKE).accepted();
        assertThat(people()).isEqualTo(901);
    }

    @Test
    void aUserWhomAFilterProvesAbsentAddsOne() {
        hot.load(partial(List.of(new Counter(LIKE, 900, 1, 2)), Map.of()));
        hot.completeFilter(ANN);

        hot.add(BEN, LIKE).accepted();

        assertThat(people()).isEqualTo(901);
    }

    @Test
    void anEntityWithoutTheNumberIsLoadedAnew() {
        hot.load(complete(List.of(new Counter(LIKE, 1, 1, 1)), Map.of(BEN, List.of(LIKE))));
        hot.redis.hdel(counts(), "people");

        assertThat(hot.add(ANN, LIKE).reply()).isInstanceOf(Miss.class);
        assertThat(hot.read(null, "token")).isInstanceOf(ReadScript.Reply.Miss.class);
    }

    private long people() {
        return hot.hit(null).people();
    }
}
