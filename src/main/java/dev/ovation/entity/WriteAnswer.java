package dev.ovation.entity;

import java.util.List;

/**
 * What a write did, and the state of the entity right after it.
 *
 * @param epoch epoch of the partition under which it was judged
 * @param version version of the entity after it
 * @param added keys of the reactions it added
 * @param removed keys of the reactions it removed
 * @param counters the entity's counters after it, in no order
 * @param own the user's reactions after it, oldest first
 */
public record WriteAnswer(
        long epoch,
        long version,
        List<String> added,
        List<String> removed,
        List<Counter> counters,
        List<String> own) {}
