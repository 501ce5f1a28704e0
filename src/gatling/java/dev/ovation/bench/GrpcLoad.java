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
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * gRPC calls at a constant rate: {@code <port> <pid of the service> get|add|batch <namespace>
 * <entity prefix> <entities> <users> <most calls at the same time> <calls a second> <seconds>}. The
 * users of writes are new ones. All calls share one connection; those of {@code batch} are
 * operations of one stream. Prints a measure a line; {@code service_us} is the processor time of
 * the service in microseconds a call.
 */
final class GrpcLoad {

    private static final int MOST_LATENCIES = 10_000_000;
    private static final long PAUSE_NANOS = 100_000;

    private final ReactionsGrpc.ReactionsStub stub;
    private final String namespace;
    private final String prefix;
    private final int entities;
    private final int users;
    private final String run = Long.toHexString(System.nanoTime());
    private final AtomicLong unique = new AtomicLong();
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger errors = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final int[] latencies = new int[MOST_LATENCIES];

    private GrpcLoad(ManagedChannel channel, String[] arguments) {
        stub = ReactionsGrpc.newStub(channel);
        namespace = arguments[3];
        prefix = arguments[4];
        entities = Integer.parseInt(arguments[5]);
        users = Integer.parseInt(arguments[6]);
    }

    public static void main(String[] arguments) {
        ManagedChannel channel =
                Grpc.newChannelBuilder(
                                "127.0.0.1:" + arguments[0], InsecureChannelCredentials.create())
                        .directExecutor()
                        .build();
        var load = new GrpcLoad(channel, arguments);
        var service = List.of(Long.valueOf(arguments[1]));
        double before = ProcessTime.seconds(service);
        long start = System.nanoTime();
        load.run(arguments);
        double seconds = (System.nanoTime() - start) / 1e9;
        load.print(seconds, ProcessTime.seconds(service) - before);
        channel.shutdownNow();
    }

    private void run(String[] arguments) {
        Runnable call = call(arguments[2]);
        int together = Integer.parseInt(arguments[7]);
        int rate = Integer.parseInt(arguments[8]);
        long calls = rate * Long.parseLong(arguments[9]);
        long start = System.nanoTime();
        for (long i = 0; i < calls; i++) {
            long due = start + i * 1_000_000_000L / rate;
            while (System.nanoTime() < due || open.get() >= together) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            open.incrementAndGet();
            call.run();
        }
        while (open.get() > 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private Runnable call(String kind) {
        if (kind.equals("batch")) {
            var operations = stub.writeBatch(new Results());
            return () ->
                    operations.onNext(
                            WriteOperation.newBuilder()
                                    .setNumber(System.nanoTime())
                                    .setAdd(add())
                                    .build());
        }
        return kind.equals("get")
                ? () -> stub.get(get(), new Answer<EntityReactions>())
                : () -> stub.add(add(), new Answer<WriteResult>());
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
        open.decrementAndGet();
    }

    private final class Answer<A> implements StreamObserver<A> {

        private final long since = System.nanoTime();

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
        }
    }

    private final class Results implements StreamObserver<WriteOperationResult> {

        @Override
        public void onNext(WriteOperationResult result) {
            if (result.hasProblem()) {
                errors.incrementAndGet();
            }
            measured(result.getNumber());
        }

        @Override
        public void onError(Throwable failure) {
            errors.incrementAndGet();
            open.set(0);
        }

        @Override
        public void onCompleted() {}
    }

    private void print(double seconds, double processor) {
        int count = Math.min(made.get(), latencies.length);
        int[] sorted = Arrays.copyOf(latencies, count);
        Arrays.sort(sorted);
        System.out.printf("requests_per_s\t%.1f%n", count / seconds);
        System.out.printf("p50_ms\t%.3f%n", sorted[count / 2] / 1000.0);
        System.out.printf("p99_ms\t%.3f%n", sorted[count * 99 / 100] / 1000.0);
        System.out.printf("errors\t%d%n", errors.get());
        System.out.printf("service_us\t%.1f%n", processor * 1e6 / count);
    }
}
