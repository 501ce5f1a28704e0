package dev.ovation.entity;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The result of a write, and the state of the entity right after it.
 *
 * @param epoch epoch of the partition under which the write was judged
 * @param version version of the entity after the write
 * @param added keys of the added reactions
 * @param removed keys of the removed reactions
 * @param counters counters of the entity after the write, in no order
 * @param own the user's reactions after the write, oldest first
 * @param locked whether the entity was locked; null for no, also in answers of earlier releases
 */
public record WriteAnswer(
        long epoch,
        long version,
        List<String> added,
        List<String> removed,
        List<Counter> counters,
        List<String> own,
        @Nullable Boolean locked) {}
