package dev.ovation.model;

import static dev.ovation.model.Steps.add;
import static dev.ovation.model.Steps.force;
import static dev.ovation.model.Steps.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.model.Command.Write;
import dev.ovation.model.ReferenceModel.Entity;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

class ShrinkerTest {

    @Test
    void onlyItemsThatTheFailureNeedsRemain() {
        var numbers = IntStream.range(0, 377).boxed().toList();
        var shrinker =
                new Shrinker<Integer>(
                        list -> list.contains(100) && list.contains(301), _ -> List.of(), 1000);
        assertThat(shrinker.shrink(numbers)).containsExactly(100, 301);
    }

    @Test
    void itemsBecomeSimpler() {
        var shrinker =
                new Shrinker<Integer>(
                        list -> list.stream().mapToInt(i -> i).sum() >= 7,
                        i -> i == 0 ? List.of() : List.of(0, i - 1),
                        1000);
        assertThat(shrinker.shrink(List.of(3, 50, 4))).containsExactly(7);
    }

    @Test
    void triesAreBounded() {
        var numbers = IntStream.range(0, 377).boxed().toList();
        var asked = new int[1];
        new Shrinker<Integer>(_ -> asked[0]++ < 0, _ -> List.of(), 17).shrink(numbers);
        assertThat(asked[0]).isEqualTo(17);
    }

    /** A service without the limit of one namespace. */
    private static final class Unlimited extends ReferenceModel {

        Unlimited() {
            super(World.USUAL);
        }

        @Override
        Reply refusal(Entity entity, Write wish, List<String> conflicting) {
            Reply refusal = super.refusal(entity, wish, conflicting);
            boolean limit = refusal != null && refusal.body().contains("max-uniq");
            return limit && wish.namespace().equals("one-of.1") ? null : refusal;
        }
    }

    @Test
    void aPlantedFaultIsFoundAndShrinksToItsTwoSteps() {
        List<Command> failing =
                IntStream.rangeClosed(1, 200)
                        .mapToObj(ShrinkerTest::writes)
                        .filter(sequence -> fails(sequence, new Unlimited()))
                        .findFirst()
                        .orElseThrow();
        var shrinker =
                new Shrinker<Command>(
                        sequence -> fails(sequence, new Unlimited()), Command::simpler, 400);
        List<Command> smallest = shrinker.shrink(failing);
        assertThat(smallest).hasSize(2).allMatch(Write.class::isInstance);
        assertThat(smallest.stream().map(step -> ((Write) step).reaction()))
                .containsExactlyInAnyOrder("like", "dislike");
    }

    @Test
    void aWrongOrderOfCountsIsDetected() {
        var forgetful =
                new ReferenceModel(World.USUAL) {
                    @Override
                    public Reply send(Command command) {
                        var first = entities.keySet().stream().findFirst();
                        first.ifPresent(
                                id ->
                                        entities.get(id)
                                                .times()
                                                .replaceAll((_, _) -> new Times(1, 1)));
                        return super.send(command);
                    }
                };
        List<Command> sequence =
                List.of(add("ann", "party"), add("ben", "👩‍💻"), read("ann"), read("ben"));
        assertThat(fails(sequence, forgetful)).isTrue();
        assertThat(fails(sequence, new ReferenceModel(World.USUAL))).isFalse();
    }

    @Test
    void aCommandIsReportedAsAnEscapedShellLine() {
        assertThat(force("it's", "👍").line())
                .isEqualTo(
                        "curl -X POST -d '{\"namespace_id\":\"posts\",\"entity_id\":\"post\","
                                + "\"user_id\":\"it'\\''s\",\"reaction_id\":\"👍\"}'"
                                + " 'localhost:8080/reactions?force=true'");
    }

    private static List<Command> writes(long seed) {
        return Generator.sequence(seed, 40).stream().filter(Write.class::isInstance).toList();
    }

    private static boolean fails(List<Command> sequence, Service service) {
        return new Duel(new ReferenceModel(World.USUAL), service).fight(sequence) != null;
    }
}
