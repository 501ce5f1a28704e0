package dev.ovation.bench;

import dev.ovation.grpc.v1.AddRequest;
import dev.ovation.grpc.v1.EntityReactions;
import dev.ovation.grpc.v1.GetRequest;
import dev.ovation.grpc.v1.ReactionsGrpc;
import dev.ovation.grpc.v1.WriteOperation;
import dev.ovation.grpc.v1.WriteOperationResult;
import dev.ovation.grpc.v1.WriteResult;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * As many gRPC calls as go through: {@code <port> get|add|batch <namespace> <entity prefix>
 * <entities> <users> <calls at the same time> <seconds>}. The users of writes are new ones. All
 * calls share one connection; those of {@code batch} are operations of one stream. Prints the
 * measures of {@code load.lua}.
 */
final class GrpcLoad {

    private static final int MOST_LATENCIES = 10_000_000;
    private static final long PAUSE_NANOS = 20_000;

    private final ReactionsGrpc.ReactionsStub stub;
    private final String namespace;
    private final String prefix;
    private final int entities;
    private final int users;
    private final long end;
    private final String run = Long.toHexString(System.nanoTime());
    private final AtomicLong unique = new AtomicLong();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger errors = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger owed = new AtomicInteger();
    private final int[] latencies = new int[MOST_LATENCIES];

    private GrpcLoad(ManagedChannel channel, String[] arguments) {
        stub = ReactionsGrpc.newStub(channel);
        namespace = arguments[2];
        prefix = arguments[3];
        entities = Integer.parseInt(arguments[4]);
        users = Integer.parseInt(arguments[5]);
        end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[7]));
    }

    public static void main(String[] arguments) throws InterruptedException {
        ManagedChannel channel =
                Grpc.newChannelBuilder(
                                "127.0.0.1:" + arguments[0], InsecureChannelCredentials.create())
                        .directExecutor()
                        .build();
        var load = new GrpcLoad(channel, arguments);
        long start = System.nanoTime();
        load.run(arguments[1], Integer.parseInt(arguments[6]));
        load.print((System.nanoTime() - start) / 1e9);
        channel.shutdownNow();
    }

    private void run(String kind, int together) throws InterruptedException {
        if (kind.equals("batch")) {
            batch(together);
        } else {
            for (int i = 0; i < together; i++) {
                call(kind);
            }
        }
        while (open.get() > 0) {
            Thread.sleep(1);
        }
    }

    private void call(String kind) {
        open.incrementAndGet();
        if (kind.equals("get")) {
            stub.get(get(), new Again<EntityReactions>(kind));
        } else {
            stub.add(add(), new Again<WriteResult>(kind));
        }
    }

    private GetRequest get() {
        return GetRequest.newBuilder()
                .setNamespaceId(namespace)
                .setEntityId(entity())
                .setViewerId("user-" + ThreadLocalRandom.current().nextInt(1, users + 1))
                .build();
    }

    private AddRequest add() {
        return AddRequest.newBuilder()
                .setNamespaceId(namespace)
                .setEntityId(entity())
                .setUserId(run + "-" + unique.incrementAndGet())
                .setReactionId("👍")
                .build();
    }

    private String entity() {
        return prefix + ThreadLocalRandom.current().nextInt(1, entities + 1);
    }

    private void measured(long since) {
        int index = made.getAndIncrement();
        if (index < latencies.length) {
            latencies[index] = (int) ((System.nanoTime() - since) / 1000);
        }
    }

    /** Makes the next call when this one has its answer. */
    private final class Again<A> implements StreamObserver<A> {

        private final String kind;
        private final long since = System.nanoTime();

        Again(String kind) {
            this.kind = kind;
        }

        @Override
        public void onNext(A answer) {}

        @Override
        public void onError(Throwable failure) {
            errors.incrementAndGet();
            onCompleted();
        }

        @Override
        public void onCompleted() {
            measured(since);
            if (System.nanoTime() < end) {
                call(kind);
            }
            open.decrementAndGet();
        }
    }

    /** Sends an operation for each result that comes; the number is the time of sending. */
    private void batch(int together) {
        open.incrementAndGet();
        var operations = stub.writeBatch(new Results());
        for (int i = 0; i < together; i++) {
            send(operations);
        }
        while (System.nanoTime() < end && open.get() > 0) {
            if (owed.get() == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            } else {
                owed.decrementAndGet();
                send(operations);
            }
        }
        operations.onCompleted();
    }

    private void send(StreamObserver<WriteOperation> operations) {
        operations.onNext(
                WriteOperation.newBuilder().setNumber(System.nanoTime()).setAdd(add()).build());
    }

    private final class Results implements StreamObserver<WriteOperationResult> {

        @Override
        public void onNext(WriteOperationResult result) {
            measured(result.getNumber());
            if (result.hasProblem()) {
                errors.incrementAndGet();
            }
            owed.incrementAndGet();
        }

        @Override
        public void onError(Throwable failure) {
            errors.incrementAndGet();
            open.decrementAndGet();
        }

        @Override
        public void onCompleted() {
            open.decrementAndGet();
        }
    }

    private void print(double seconds) {
        int count = Math.min(made.get(), latencies.length);
        int[] sorted = Arrays.copyOf(latencies, count);
        Arrays.sort(sorted);
        System.out.printf("requests_per_s\t%.1f%n", made.get() / seconds);
        System.out.printf("p50_ms\t%.3f%n", sorted[count / 2] / 1000.0);
        System.out.printf("p99_ms\t%.3f%n", sorted[count * 99 / 100] / 1000.0);
        System.out.printf("errors\t%d%n", errors.get());
        System.out.printf("made %d%n", made.get());
    }
}
