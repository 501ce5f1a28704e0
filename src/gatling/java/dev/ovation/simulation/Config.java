package dev.ovation.simulation;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A simulation as its file defines it.
 *
 * @param name of the file, without its ending
 * @param seed of all random choices
 * @param server the running server that the file names, used only on request
 */
public record Config(
        String name,
        long seed,
        Turns turns,
        Users users,
        List<Topics> topics,
        Optional<URI> server) {

    /**
     * Number and duration of turns.
     *
     * @param minDuration of a turn: the user waits for the rest of it after an action
     */
    public record Turns(int count, Duration minDuration) {}

    /**
     * The simulated users.
     *
     * @param count users at the same time
     * @param turnStartSkew greatest hesitation of a user at the start of a turn
     * @param idTemplate template of the id of the n-th user
     * @param visibleEntities on a screen
     * @param refreshTurns number of turns between two refreshes of the visible entities by the app
     */
    public record Users(
            int count,
            Duration turnStartSkew,
            String idTemplate,
            int visibleEntities,
            int refreshTurns,
            Weights weights) {}

    /** Relative probabilities of the actions. */
    public record Weights(
            int switchTopic, int scroll, int addReaction, int removeReaction, int quit) {}

    /**
     * Topics of a kind.
     *
     * @param size entities in each of them
     * @param shufflePerUser whether each user sees them in an individual order
     * @param skew as a share of the size, the standard deviation of a Gaussian by which each user's
     *     order is drawn, so that all users see the first entities; 0: none
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
