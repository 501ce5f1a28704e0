package dev.ovation.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.grpc.OperationWriter.OperationBacklog;
import dev.ovation.grpc.v1.AddRequest;
import dev.ovation.grpc.v1.WriteOperation;

import org.junit.jupiter.api.Test;

class OperationBacklogTest {

    @Test
    void itHasRoomForSoManyBytes() {
        var operation = operation("x".repeat(1000));
        var backlog = new OperationBacklog(2L * operation.getSerializedSize());

        backlog.add(operation);
        assertThat(backlog.hasRoom()).isTrue();
        backlog.add(operation);
        assertThat(backlog.hasRoom()).isFalse();
        assertThat(backlog.take()).hasSize(2);
        assertThat(backlog.hasRoom()).isTrue();
    }

    @Test
    void itHasRoomForSoManyOperations() {
        var backlog = new OperationBacklog(Long.MAX_VALUE);
        for (int i = 0; i < 200; i++) {
            assertThat(backlog.hasRoom()).isTrue();
            backlog.add(operation("x"));
        }

        assertThat(backlog.hasRoom()).isFalse();
        assertThat(backlog.take()).hasSize(100);
        assertThat(backlog.hasRoom()).isTrue();
        backlog.clear();
        assertThat(backlog.isEmpty()).isTrue();
    }

    private static WriteOperation operation(String entity) {
        return WriteOperation.newBuilder()
                .setAdd(AddRequest.newBuilder().setEntityId(entity))
                .build();
    }
}
