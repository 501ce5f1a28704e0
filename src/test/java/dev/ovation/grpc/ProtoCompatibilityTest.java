package dev.ovation.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;

import dev.ovation.grpc.v1.ReactionsProto;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * Published parts of the proto file remain: {@code src/test/resources/grpc/published.txt} has one
 * line for each field, value and method. A line is never removed or changed; a new field adds one.
 */
class ProtoCompatibilityTest {

    private static final Path PUBLISHED = Path.of("src/test/resources/grpc/published.txt");
    private static final String PROTO = "dev/ovation/v1/reactions.proto";

    @Test
    void whatWasPublishedRemains() throws IOException {
        assertThat(present())
                .as("clients of the published proto file break; reserve numbers, and keep the rest")
                .containsAll(published());
    }

    @Test
    void whatIsNewIsWrittenDown() throws IOException {
        assertThat(published()).as("add the lines to %s", PUBLISHED).containsAll(present());
    }

    @Test
    void theJarHasTheProtoFile() throws IOException {
        try (var file = ReactionsProto.class.getClassLoader().getResourceAsStream(PROTO)) {
            assertThat(file).isNotNull();
            assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(Files.readString(Path.of("src/main/proto", PROTO)));
        }
    }

    private static Set<String> published() throws IOException {
        return new TreeSet<>(Files.readAllLines(PUBLISHED));
    }

    private static Set<String> present() {
        var file = ReactionsProto.getDescriptor();
        Set<String> lines = new TreeSet<>();
        file.getMessageTypes().forEach(each -> add(each, lines));
        file.getEnumTypes().forEach(each -> add(each, lines));
        file.getServices().forEach(each -> add(each, lines));
        return lines;
    }

    private static void add(Descriptor message, Set<String> lines) {
        for (FieldDescriptor field : message.getFields()) {
            lines.add(
                    "%s %d %s %s %s"
                            .formatted(
                                    message.getFullName(),
                                    field.getNumber(),
                                    field.getName(),
                                    kind(field),
                                    type(field)));
        }
        message.getNestedTypes().forEach(each -> add(each, lines));
        message.getEnumTypes().forEach(each -> add(each, lines));
    }

    /** Presence and the membership in a oneof are parts of the contract, as the number is. */
    private static String kind(FieldDescriptor field) {
        if (field.isRepeated()) {
            return field.isMapField() ? "map" : "repeated";
        }
        var choice = field.getRealContainingOneof();
        if (choice != null) {
            return "oneof " + choice.getName();
        }
        boolean optional = field.hasPresence() && field.getJavaType() != JavaType.MESSAGE;
        return optional ? "optional" : "single";
    }

    private static String type(FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case MESSAGE -> field.getMessageType().getFullName();
            case ENUM -> field.getEnumType().getFullName();
            default -> field.getType().name();
        };
    }

    private static void add(EnumDescriptor values, Set<String> lines) {
        values.getValues()
                .forEach(
                        each ->
                                lines.add(
                                        "%s %d %s"
                                                .formatted(
                                                        values.getFullName(),
                                                        each.getNumber(),
                                                        each.getName())));
    }

    private static void add(ServiceDescriptor service, Set<String> lines) {
        for (MethodDescriptor method : service.getMethods()) {
            lines.add(
                    "%s %s %s%s returns %s%s"
                            .formatted(
                                    service.getFullName(),
                                    method.getName(),
                                    method.isClientStreaming() ? "stream " : "",
                                    method.getInputType().getFullName(),
                                    method.isServerStreaming() ? "stream " : "",
                                    method.getOutputType().getFullName()));
        }
    }
}
