package dev.ovation.reaction.view;

import java.util.List;

/**
 * One who reacted to an entity.
 *
 * @param reactions the newest first
 */
public record Reactor(String user, List<Reacted> reactions) {

    /**
     * Those of an entity who reacted last, the newest first.
     *
     * @param version number of the state in which that was so
     */
    public record Newest(long version, List<Reactor> reactors) {
        static final Newest NOBODY = new Newest(0, List.of());
    }

    /**
     * A reaction of theirs.
     *
     * @param reaction as it is spelled
     * @param at when, in microseconds since 1970
     */
    public record Reacted(String reaction, long at) {}
}
