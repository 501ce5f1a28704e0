package dev.ovation.protocol;

import dev.ovation.outbox.Database;
import dev.ovation.outbox.ModelSessions;
import dev.ovation.store.PostgresModel;

/** The Postgres and the two Redis of a world; real ones may run beside the models. */
final class Servers {

    /** Adds real servers to the modelled ones. */
    interface Kind {
        Kind MODELLED = new Kind() {};

        /** Returns a Redis that queries both and compares. */
        default Redis beside(RedisModel model, int number) {
            return model;
        }

        /** Returns a database that queries both and compares. */
        default Database beside(Database model, PostgresModel postgres) {
            return model;
        }

        /** Resets the real Postgres to an older state, like the modelled one. */
        default void setBack(PostgresModel postgres) {}

        /** Ends every session. */
        default void killSessions() {}

        /** Compares all data in Postgres. */
        default void compare(PostgresModel postgres) {}
    }

    /** Longer than it takes to open as many epochs as a restored copy may lack. */
    private static final long RESTORING_MILLIS = 100_000;

    private final World world;
    private final Kind kind;
    private final RedisModel[] models = new RedisModel[2];
    private final Redis[] servers = new Redis[2];
    private final PostgresModel postgres;
    private final Database database;
    private int master;

    Servers(World world, Kind kind) {
        this.world = world;
        this.kind = kind;
        for (int i = 0; i < 2; i++) {
            models[i] = new RedisModel(world.partitions(), world.name("redis"), world::keeps);
            servers[i] = kind.beside(models[i], i);
        }
        postgres = new PostgresModel(world.partitions(), world::partitionOf);
        postgres.ignoresLocks = !world.keeps(Rule.ROW_LOCK);
        postgres.ignoresKeys = !world.keeps(Rule.KEY_TAKEN_REJECTS);
        var tables =
                new Database.Tables(
                        postgres.partitions,
                        postgres.entities,
                        postgres.reactions,
                        postgres.idempotency,
                        postgres.rejections,
                        postgres.function,
                        postgres.snapshots);
        database = kind.beside(new Database(tables, new ModelSessions(world, postgres)), postgres);
    }

    Redis master() {
        return servers[master];
    }

    /** Data of the master. */
    HotState hot() {
        return models[master].state();
    }

    boolean isFull() {
        return models[master].isFull();
    }

    PostgresModel postgres() {
        return postgres;
    }

    Database database() {
        return database;
    }

    /** Makes the other Redis the master, with a current or an older copy of the data. */
    void failOver(Object state) {
        master = 1 - master;
        servers[master].restore(state);
        servers[master].renew(world.name("redis"));
    }

    void losePostgres(int commits) {
        postgres.restore(commits);
        postgres.now += RESTORING_MILLIS;
        kind.setBack(postgres);
    }

    void killSessions() {
        postgres.killSessions();
        kind.killSessions();
    }

    void secondsPass() {
        postgres.now += 2000;
    }

    void heal() {
        for (Redis server : servers) {
            server.full(false);
        }
    }

    void compare() {
        for (Redis server : servers) {
            server.contents();
        }
        kind.compare(postgres);
    }
}
