package dev.ovation.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.rules.Namespace;
import dev.ovation.rules.RuleSet;
import dev.ovation.rules.reader.ConfigurationBody;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The examples of {@code docs/rules.md} are valid with the shipped reactions. */
class RulesPageTest {

    private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @Test
    void eachExampleIsAValidConfiguration() throws Exception {
        List<Namespace> namespaces = new ArrayList<>();
        var blocks = BLOCK.matcher(Files.readString(Path.of("docs/rules.md")));
        while (blocks.find()) {
            namespaces.addAll(read(blocks.group(1)).namespaces());
        }

        assertThat(namespaces).extracting(Namespace::id).contains("talks", "cookbook", "archive");
        assertThat(namespaces).allSatisfy(each -> assertThat(each.constraints()).isNotEmpty());
    }

    private static RuleSet read(String namespaces) throws Exception {
        String body =
                "reactions:\n"
                        + Files.readString(Path.of("config/reactions.yaml"))
                        + "\nreaction_sets:\n"
                        + Files.readString(Path.of("config/reaction_sets.yaml"))
                        + "\nnamespaces:\n"
                        + namespaces;
        return ConfigurationBody.yaml(body.getBytes(StandardCharsets.UTF_8)).configuration();
    }
}
