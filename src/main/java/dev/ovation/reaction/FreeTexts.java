package dev.ovation.reaction;

import dev.ovation.store.ReactionNames;
import dev.ovation.store.postgres.PostgresBulkhead;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The texts that may be reactions of sets that are open to any text. A reaction gets one of 32,767
 * numbers, which is never taken back. So texts without a number are refused once 20,000 are given,
 * and enough remain for configured reactions, emoji and imports.
 */
final class FreeTexts implements Predicate<String> {

    private static final int MOST = 20_000;

    private final ReactionNames names;
    private final PostgresBulkhead gate;
    private final Set<String> numbered = ConcurrentHashMap.newKeySet();

    FreeTexts(ReactionNames names, PostgresBulkhead gate) {
        this.names = names;
        this.gate = gate;
    }

    /** Returns whether the reaction of this key has a number, or may get one. */
    @Override
    public boolean test(String key) {
        if (numbered.contains(key)) {
            return true;
        }
        int number = gate.ask(() -> names.numberOf(key));
        if (number > 0) {
            numbered.add(key);
        }
        return number > 0 || gate.ask(names::last) < MOST;
    }
}
