package dev.ovation.outbox;

import dev.ovation.hot.state.Event;
import dev.ovation.outbox.batch.OutboxSlice;
import dev.ovation.outbox.batch.RelayCall.CallOutcome;
import dev.ovation.outbox.batch.RelayTransaction;
import dev.ovation.outbox.recovery.Epochs;
import dev.ovation.protocol.Rule;
import dev.ovation.protocol.Violation;
import dev.ovation.protocol.World;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.PartitionTable.Succession;
import dev.ovation.store.PostgresModel;
import dev.ovation.store.RelayFunction.CallResult;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Transactions of the modelled Postgres; their commits are reported to the checker. */
public final class ModelSessions implements Database.Sessions {

    private final World world;
    private final PostgresModel postgres;

    public ModelSessions(World world, PostgresModel postgres) {
        this.world = world;
        this.postgres = postgres;
    }

    @Override
    public Object begin(String owner, Database database) {
        return new ModelSession(database, postgres.begin());
    }

    private final class ModelSession implements Database.Session {
        private final Database database;
        private final PostgresModel.Transaction transaction;

        ModelSession(Database database, PostgresModel.Transaction transaction) {
            this.database = database;
            this.transaction = transaction;
        }

        @Override
        public List<RelayTransaction.PartitionResult> apply(
                List<OutboxSlice> looks, Map<String, String> poison) {
            return transaction.within(
                    () -> {
                        var shown = looks.stream().map(this::shown).toList();
                        var results = database.batch.apply(shown, poison);
                        results.forEach(this::takeDown);
                        return results;
                    });
        }

        @Override
        public CallOutcome call(List<OutboxSlice> looks) {
            var outcome = transaction.within(() -> database.call.apply(looks));
            if (outcome.result() == CallResult.APPLIED) {
                outcome.partitions().forEach(this::takeDown);
                commit();
            } else {
                rollback();
            }
            return outcome;
        }

        /** The outbox as the relay sees it if a rule is broken. */
        private OutboxSlice shown(OutboxSlice slice) {
            var rows = postgres.committed(slice.p());
            var shown = slice;
            if (!world.keeps(Rule.ANCHOR)) {
                shown = Blindfold.anchorFits(shown, rows);
            }
            return world.keeps(Rule.CHAIN_BY_IDENTITY)
                    ? shown
                    : Blindfold.versionsAreEnough(shown, rows);
        }

        private void takeDown(RelayTransaction.PartitionResult result) {
            var rows = transaction.rows(result.slice().p());
            if (result.finding() instanceof OutboxSlice.ContinuityCheck.Continues) {
                long before = postgres.committed(result.slice().p()).appliedSeq;
                for (var event : result.events()) {
                    if (event.seq() > before) {
                        takeDown(event, result.rejected().contains(event.seq()), rows);
                    }
                }
            }
        }

        private void takeDown(Event event, boolean rejected, PostgresModel.Rows rows) {
            if (!rejected) {
                if (!rows.applied.add(event.op())) {
                    throw new Violation(event.op() + " is applied twice");
                }
            } else if (!event.op().startsWith("poison") && event.keyed() == null) {
                world.checker().conflicts(event);
            }
        }

        @Override
        public List<Succession> take(
                Collection<Integer> wanted,
                Epochs.OpenedEpoch seen,
                Predicate<PartitionRow> mustEnd,
                long seconds) {
            return transaction.within(() -> database.takeWithin(wanted, seen, mustEnd, seconds));
        }

        @Override
        public boolean commit() {
            if (!transaction.isOpen()) {
                return false;
            }
            var before = new PostgresModel.Rows[world.partitions()];
            for (int p = 0; p < before.length; p++) {
                before[p] = postgres.committed(p);
            }
            transaction.commit();
            world.committed(before);
            return true;
        }

        @Override
        public void rollback() {
            transaction.rollback();
        }
    }
}
