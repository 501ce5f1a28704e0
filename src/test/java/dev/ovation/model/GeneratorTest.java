package dev.ovation.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

class GeneratorTest {

    private static final Pattern WORD =
            Pattern.compile("\"(?:code|outcome)\":\"([a-z-]+)\"|\"(retired|average)\"");

    @Test
    void theSameSeedMakesTheSameSequence() {
        assertThat(Generator.sequence(7, 377)).isEqualTo(Generator.sequence(7, 377)).hasSize(377);
    }

    @Test
    void anotherSeedMakesAnotherSequence() {
        assertThat(LongStream.range(0, 100).mapToObj(seed -> Generator.sequence(seed, 40)))
                .doesNotHaveDuplicates();
    }

    @Test
    void aLongerSequenceBeginsWithTheShorterOne() {
        assertThat(Generator.sequence(7, 40)).isEqualTo(Generator.sequence(7, 377).subList(0, 40));
    }

    @Test
    void sequencesOfTheFixedSeedsReachEveryAnswer() {
        Set<String> words =
                sequences()
                        .flatMap(GeneratorTest::answers)
                        .flatMap(reply -> WORD.matcher(reply.body()).results())
                        .map(match -> match.group(1) == null ? match.group(2) : match.group(1))
                        .collect(Collectors.toSet());
        assertThat(words)
                .containsExactlyInAnyOrder(
                        "applied",
                        "unchanged",
                        "refused",
                        "retired",
                        "average",
                        "malformed-request",
                        "reaction-already-exists",
                        "conflicting-reaction",
                        "max-uniq-reactions",
                        "too-many-reactions",
                        "constraint-violated",
                        "unknown-reaction",
                        "unknown-namespace",
                        "idempotency-mismatch",
                        "precondition-failed");
    }

    @Test
    void sequencesOfTheFixedSeedsContainEveryCommand() {
        Set<Object> kinds =
                sequences()
                        .flatMap(List::stream)
                        .map(
                                command ->
                                        switch (command) {
                                            case Command.Write write -> write.kind();
                                            case Command.Put put -> put.match();
                                            case Command.Batch _ -> "batch";
                                            case Command.Read _ -> "read";
                                            case Command.Refresh refresh -> refresh.rules();
                                            case Command.Disturbance some -> some.harm();
                                        })
                        .collect(Collectors.toSet());
        assertThat(kinds)
                .hasSize(
                        Command.Kind.values().length
                                + Command.Match.values().length
                                + 1
                                + 1
                                + 2
                                + Command.Harm.values().length);
    }

    @Test
    void sequencesOfTheFixedSeedsCoverOverlappingGroupsAndRetries() {
        var bodies = sequences().flatMap(GeneratorTest::answers).map(Reply::body).toList();
        assertThat(bodies)
                .anyMatch(body -> body.contains("\"removed\":[\"👍\",\"❤"))
                .anyMatch(body -> body.contains("\"conflicting\":[\"❤\uFE0F\",\"👍\"]"));
        assertThat(sequences().mapToLong(GeneratorTest::retries).sum()).isGreaterThan(100);
    }

    private static Stream<List<Command>> sequences() {
        return LongStream.rangeClosed(1, 200).mapToObj(seed -> Generator.sequence(seed, 40));
    }

    private static Stream<Reply> answers(List<Command> sequence) {
        var model = new ReferenceModel(World.USUAL);
        return sequence.stream().map(model::send);
    }

    /** Writes that repeat an earlier one of the same key. */
    private static long retries(List<Command> sequence) {
        var writes =
                sequence.stream()
                        .filter(Command.Write.class::isInstance)
                        .map(Command.Write.class::cast)
                        .filter(write -> !write.key().isEmpty())
                        .toList();
        return writes.stream()
                .filter(write -> writes.stream().filter(write::sameWish).count() > 1)
                .count();
    }
}
