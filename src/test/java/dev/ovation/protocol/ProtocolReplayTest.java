package dev.ovation.protocol;

import org.junit.jupiter.api.Test;

/** The same schedules with real servers beside the modelled ones; all must answer alike. */
class ProtocolReplayTest {

    private static final long SEED = Long.getLong("seed", 1);
    private static final int SCHEDULES = Integer.getInteger("replays", 300);

    @Test
    void realServersAnswerAsTheModelDoes() {
        var servers = new RealServers();
        for (long seed = SEED; seed < SEED + SCHEDULES; seed++) {
            Search.replay(seed, servers);
        }
    }
}
