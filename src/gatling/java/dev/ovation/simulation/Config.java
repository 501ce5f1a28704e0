package dev.ovation.simulation;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a simulation does, as its file says.
 *
 * @param name of the file, without its ending
 * @param seed of all chances
 * @param server the running server that the file names, used only when asked for
 */
public record Config(
        String name,
        long seed,
        Turns turns,
        Users users,
        List<Topics> topics,
        Optional<URI> server) {

    /**
     * How long it goes on.
     *
     * @param minDuration of a turn: what is left of it after the user's action is waited out
     */
    public record Turns(int count, Duration minDuration) {}

    /**
     * Who scrolls.
     *
     * @param count users at the same time
     * @param turnStartSkew the longest that a user hesitates at the start of a turn
     * @param idTemplate makes the id of the n-th user
     * @param visibleEntities on a screen
     * @param refreshTurns every how many turns the app reads the visible entities again
     */
    public record Users(
            int count,
            Duration turnStartSkew,
            String idTemplate,
            int visibleEntities,
            int refreshTurns,
            Weights weights) {}

    /** How likely each action is, relative to the others. */
    public record Weights(
            int switchTopic, int scroll, int addReaction, int removeReaction, int quit) {}

    /**
     * Topics of a kind.
     *
     * @param size entities in each of them
     * @param shufflePerUser whether each user sees them in an order of their own
     * @param skew as a share of the size, the standard deviation of a Gaussian by which each user's
     *     order is drawn: the first entities are in everybody's; 0: none
     */
    public record Topics(
            int count, String namespaceId, int size, boolean shufflePerUser, double skew) {}

    Config with(int users, int turns) {
        return new Config(
                name,
                seed,
                new Turns(turns, this.turns.minDuration),
                new Users(
                        users,
                        this.users.turnStartSkew,
                        this.users.idTemplate,
                        this.users.visibleEntities,
                        this.users.refreshTurns,
                        this.users.weights),
                topics,
                server);
    }
}
