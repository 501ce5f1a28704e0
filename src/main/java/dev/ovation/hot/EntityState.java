package dev.ovation.hot;

import dev.ovation.entity.Counter;

import java.util.List;

/**
 * What a reader sees of an entity, all of one instant.
 *
 * @param epoch epoch of its partition
 * @param version its version within all epochs
 * @param counters its counters, in no order
 * @param own the viewer's reactions, oldest first; empty when nobody's view was asked for
 */
public record EntityState(long epoch, long version, List<Counter> counters, List<String> own) {}
