package dev.ovation.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Relative links of the documents lead to files and headings that exist. */
class LinksTest {

    private static final Pattern LINK =
            Pattern.compile("\\]\\((?!https?:)([^)#]*)(?:#([^)]*))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$");

    private final Map<Path, Set<String>> anchors = new HashMap<>();

    @Test
    void eachLeadsToAFileAndAHeading() throws IOException {
        var broken = new ArrayList<String>();
        var links = 0;
        for (Path document : documents()) {
            String text = prose(document);
            for (MatchResult link : LINK.matcher(text).results().toList()) {
                links++;
                if (!leadsSomewhere(document, link.group(1), link.group(2))) {
                    broken.add(document + ": " + link.group());
                }
            }
        }
        assertThat(links).isGreaterThan(50);
        assertThat(broken).isEmpty();
    }

    @Test
    void theReadmeHasAtMost200Lines() throws IOException {
        assertThat(Files.readAllLines(Path.of("README.md"))).hasSizeLessThanOrEqualTo(200);
    }

    @Test
    void theRationaleHasAtMost30QuestionsAsHeadings() throws IOException {
        List<String> headings =
                HEADING.matcher(prose(Path.of("RATIONALE.md")))
                        .results()
                        .map(heading -> heading.group(1))
                        .skip(1)
                        .toList();
        assertThat(headings)
                .hasSizeBetween(1, 30)
                .allSatisfy(heading -> assertThat(heading).endsWith("?"));
    }

    private boolean leadsSomewhere(Path document, String path, String heading) throws IOException {
        Path target = path.isEmpty() ? document : document.resolveSibling(path).normalize();
        return Files.exists(target)
                && !target.equals(Path.of("")) // the root of the repository: a path was forgotten
                && (heading == null || anchors(target).contains(heading));
    }

    private Set<String> anchors(Path document) throws IOException {
        Set<String> known = anchors.get(document);
        if (known == null) {
            known = readAnchors(document);
            anchors.put(document, known);
        }
        return known;
    }

    private static Set<String> readAnchors(Path document) throws IOException {
        return HEADING.matcher(prose(document))
                .results()
                .map(heading -> anchor(heading.group(1)))
                .collect(Collectors.toSet());
    }

    /** The anchor that GitHub generates. */
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
    }

    private static String prose(Path document) throws IOException {
        return CODE.matcher(Files.readString(document)).replaceAll("");
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> docs = Files.list(Path.of("docs"))) {
            return Stream.concat(
                            Stream.of("README", "RATIONALE", "CHANGELOG", "UPGRADING")
                                    .map(name -> Path.of(name + ".md")),
                            docs.filter(file -> file.toString().endsWith(".md")))
                    .toList();
        }
    }
}
