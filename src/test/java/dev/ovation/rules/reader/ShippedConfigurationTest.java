package dev.ovation.rules.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.rules.Namespace;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.ReactionSet;
import dev.ovation.rules.RuleSet;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;

class ShippedConfigurationTest {

    private final RuleSet shipped = ConfigurationFiles.read(Path.of("config")).configuration();

    @Test
    void emotionsHoldEmojiOfManyCodePoints() {
        NamespaceRules posts = shipped.namespace("posts");
        assertThat(posts.spelling("\u2764")).isEqualTo("\u2764\uFE0F");
        assertThat(posts.contains("\uD83D\uDC4D\uD83C\uDFFD")).as("thumbs up, medium").isTrue();
        assertThat(posts.contains("\uD83D\uDC69\u200D\uD83D\uDCBB")).as("technologist").isTrue();
        assertThat(posts.contains("\uD83C\uDFF3\u200D\uD83C\uDF08")).as("rainbow").isTrue();
        assertThat(posts.excluded("👍")).containsExactly("👍🏻", "👍🏽", "👍🏿", "👎");
    }

    @Test
    void aCustomReactionHasASafeUrl() {
        assertThat(shipped.reactions())
                .filteredOn(reaction -> reaction.type().equals("custom"))
                .isNotEmpty()
                .allSatisfy(reaction -> assertThat(reaction.url()).startsWith("https://"));
    }

    @Test
    void likeAndDislikeExcludeEachOther() {
        assertThat(shipped.namespace("comments").excluded("like")).containsExactly("dislike");
        assertThat(shipped.namespace("videos").excluded("dislike")).containsExactly("like");
        assertThat(shipped.namespace("photos").keys()).containsExactly("like");
    }

    @Test
    void aRatingIsOneOfFiveStars() {
        NamespaceRules ratings = shipped.namespace("ratings");
        assertThat(ratings.reactions())
                .extracting(ReactionDefinition::value)
                .containsExactlyInAnyOrder(
                        BigDecimal.valueOf(1),
                        BigDecimal.valueOf(2),
                        BigDecimal.valueOf(3),
                        BigDecimal.valueOf(4),
                        BigDecimal.valueOf(5));
        assertThat(ratings.keys()).allSatisfy(key -> assertThat(ratings.excluded(key)).hasSize(4));
    }

    /** The lines behind the mark of each file, without their first character. */
    @Test
    void theCommentedExamplesAreValid() throws IOException {
        RuleSet with =
                RulesFixture.yaml(
                        "reactions:\n%s\nreaction_sets:\n%s\nnamespaces:\n%s"
                                .formatted(
                                        withExample("reactions"),
                                        Files.readString(Path.of("config/reaction_sets.yaml")),
                                        withExample("namespaces")));

        assertThat(with.reactions().getLast().available()).isNotNull();
        assertThat(with.namespaces().getLast().constraints()).hasSize(3);
        assertThat(with.reactions()).hasSize(shipped.reactions().size() + 1);
        assertThat(with.namespaces()).hasSize(shipped.namespaces().size() + 1);
    }

    private static String withExample(String file) throws IOException {
        String text = Files.readString(Path.of("config", file + ".yaml"));
        int mark = text.indexOf("# Example: ");
        assertThat(mark).as("the mark of " + file).isPositive();
        return text.substring(0, mark)
                + text.substring(mark).replaceAll("(?m)^# \\S.*$", "").replaceAll("(?m)^#", "");
    }

    @Test
    void everyReactionIsInUse() {
        assertThat(shipped.reactionSets().stream().flatMap(set -> set.reactionIds().stream()))
                .containsAll(shipped.reactions().stream().map(ReactionDefinition::id).toList());
        assertThat(shipped.namespaces().stream().map(Namespace::reactionSetId))
                .containsAll(shipped.reactionSets().stream().map(ReactionSet::id).toList());
    }
}
