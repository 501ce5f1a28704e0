package dev.ovation.outbox;

import dev.ovation.outbox.batch.OutboxSlice;
import dev.ovation.outbox.batch.RelayCall.CallOutcome;
import dev.ovation.outbox.batch.RelayTransaction;
import dev.ovation.outbox.recovery.Epochs;
import dev.ovation.store.PartitionRow;
import dev.ovation.store.PartitionTable.Succession;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/** Transactions of a real Postgres, each on a thread of its own, so that several can be open. */
public final class RealSessions implements Database.Sessions {

    private final PlatformTransactionManager transactions;
    private final Set<RealSession> open = new HashSet<>();

    public RealSessions(PlatformTransactionManager transactions) {
        this.transactions = transactions;
    }

    /** Ends all open transactions without their changes. */
    public void kill() {
        List.copyOf(open).forEach(RealSession::rollback);
    }

    @Override
    public Object begin(String owner, Database database) {
        return new RealSession(database);
    }

    private final class RealSession implements Database.Session {
        private final Database database;
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final TransactionStatus status;

        RealSession(Database database) {
            this.database = database;
            this.status =
                    within(() -> transactions.getTransaction(new DefaultTransactionDefinition()));
            open.add(this);
        }

        private <T> T within(Callable<T> work) {
            try {
                return thread.submit(work).get();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public List<RelayTransaction.PartitionResult> apply(
                List<OutboxSlice> looks, Map<String, String> poison) {
            return within(() -> database.batch.apply(looks, poison));
        }

        @Override
        public CallOutcome call(List<OutboxSlice> looks) {
            rollback();
            return database.call.apply(looks);
        }

        @Override
        public List<Succession> take(
                Collection<Integer> wanted,
                Epochs.OpenedEpoch seen,
                Predicate<PartitionRow> mustEnd,
                long seconds) {
            return within(() -> database.takeWithin(wanted, seen, mustEnd, seconds));
        }

        @Override
        public boolean commit() {
            return end(() -> transactions.commit(status));
        }

        @Override
        public void rollback() {
            end(() -> transactions.rollback(status));
        }

        private boolean end(Runnable how) {
            if (!open.remove(this)) {
                return false;
            }
            within(Executors.callable(how));
            thread.shutdown();
            return true;
        }
    }
}
