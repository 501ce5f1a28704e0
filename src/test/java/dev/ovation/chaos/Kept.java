package dev.ovation.chaos;

import dev.ovation.testing.Instance.Answer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The last stored answers to operations that were sent by key and succeeded. A retry must return
 * the same answer through any door, after any fault, and must not apply the operation again. The
 * rules of this load change neither spellings nor orders, so the answers must be equal byte for
 * byte.
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

    /** Removes the answers of this user; no client requests them again. */
    void forget(String user) {
        ones.removeIf(one -> one.history.user.equals(user));
    }

    boolean isEmpty() {
        return ones.isEmpty();
    }

    /** Requests one of the stored answers; returns whether an answer came. */
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
