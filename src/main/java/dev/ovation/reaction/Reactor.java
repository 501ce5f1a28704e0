package dev.ovation.reaction;

import java.util.List;

/**
 * One who reacted to an entity.
 *
 * @param reactions the newest first
 */
record Reactor(String user, List<Reacted> reactions) {

    /**
     * A reaction of theirs.
     *
     * @param reaction as it is spelled
     * @param at when, in microseconds since 1970
     */
    record Reacted(String reaction, long at) {}
}
