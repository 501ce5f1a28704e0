package dev.ovation.chaos;

import dev.ovation.testing.Instance.Answer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The last answers to operations that were sent by key and ended well: they come again as they
 * were, through any door and whatever happened in between, and nothing is done again. The rules of
 * this load change neither spellings nor orders, so not even a byte may differ.
 */
final class Kept {

    private static final int MOST = 8;

    private record One(History history, Operation operation, String[] headers, Answer answer) {}

    private final List<One> ones = new ArrayList<>();

    void add(History history, Operation operation, String[] headers, Answer answer) {
        ones.add(new One(history, operation, headers, answer));
        if (ones.size() > MOST) {
            ones.removeFirst();
        }
    }

    /** Nobody asks for those of this user any more. */
    void forget(String user) {
        ones.removeIf(one -> one.history.user.equals(user));
    }

    boolean isEmpty() {
        return ones.isEmpty();
    }

    /** Asks for one of them; returns whether it was answered. */
    boolean ask(Door door, Random random) {
        var one = ones.get(random.nextInt(ones.size()));
        try {
            var answer = door.write(one.history, one.operation, one.headers);
            if (answer.status() == 503) {
                return false;
            }
            one.history.repeated(one.operation, text(one.answer), text(answer), door.name);
            return true;
        } catch (IOException e) {
            one.history.mayComeLater();
            return false; // the link or the instance is down
        }
    }

    private static String text(Answer answer) {
        return answer.status() + " " + answer.body();
    }
}
