package dev.ovation.start;

/**
 * Phases of the start, in order; a stop passes them in reverse. The phase of the web server is
 * higher.
 */
public final class StartPhase {

    /** Waits for Postgres and migrates its schema. */
    public static final int SCHEMA = -3;

    /** Reads the partitions and the deployment from Postgres. */
    public static final int PARTITIONS = -2;

    /** Reads the rules in force from Postgres. */
    public static final int CONFIGURATION = -1;

    /** Connects to Redis, later than Spring's connection factory, whose phase is 0. */
    public static final int REDIS = 1;

    /** Attaches to the partitions. */
    public static final int RECOVERY = 2;

    /** Applies the outboxes to Postgres. */
    public static final int RELAY = 3;

    /** Jobs and background work. */
    public static final int BACKGROUND = 4;

    private StartPhase() {}
}
