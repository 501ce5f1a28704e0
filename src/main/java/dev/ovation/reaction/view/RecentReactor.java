package dev.ovation.reaction.view;

import java.util.List;

/**
 * A reactor of an entity.
 *
 * @param reactions the newest first
 */
public record RecentReactor(String user, List<Reacted> reactions) {

    /**
     * The newest reactors of an entity, the newest first.
     *
     * @param version number of the state that has these reactors
     */
    public record RecentReactorList(long version, List<RecentReactor> reactors) {
        public static final RecentReactorList EMPTY = new RecentReactorList(0, List.of());
    }

    /**
     * A reaction of the reactor.
     *
     * @param reaction reaction in the spelling of the configuration
     * @param at time of the reaction, in microseconds since 1970
     */
    public record Reacted(String reaction, long at) {}
}
