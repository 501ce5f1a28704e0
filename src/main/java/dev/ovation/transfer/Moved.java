package dev.ovation.transfer;

import dev.ovation.entity.EntityKey;

import java.util.List;

/**
 * What a piece came to.
 *
 * @param applied how many of its rows changed something
 * @param entities whose state is another one now
 */
record Moved(long applied, List<EntityKey> entities) {}
