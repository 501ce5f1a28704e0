package dev.ovation.faults;

import static dev.ovation.faults.Stage.NOTES;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The whole data set of the contest: {@code -Dpcc.data=<folder of user.csv, friends.csv,
 * like.csv>}.
 */
@EnabledIfSystemProperty(named = "pcc.data", matches = ".+")
class ContestDataTest {

    private static final int SCREEN = 200;

    private final Path folder = Path.of(System.getProperty("pcc.data", ""));

    @Test
    void eachObjectCountsTheDistinctUsersOfItsLine() throws Exception {
        Map<String, Set<String>> likes = likes();
        try (var stage = Stage.open()) {
            var service = stage.start();
            JsonNode users = Imports.run(service, "kind=pcc-users", text("user.csv"));
            JsonNode friends = Imports.run(service, "kind=pcc-friends", text("friends.csv"));
            String query = "kind=pcc-likes&namespace_id=" + NOTES;
            JsonNode report = Imports.run(service, query, text("like.csv"));
            System.out.println(users + "\n" + friends + "\n" + report);

            for (JsonNode one : List.of(users, friends, report)) {
                assertThat(one.at("/report/bad/count").longValue()).isZero();
            }
            assertThat(shown(service, new ArrayList<>(likes.keySet())))
                    .isEqualTo(
                            likes.entrySet().stream()
                                    .filter(each -> !each.getValue().isEmpty())
                                    .collect(
                                            Collectors.toMap(
                                                    Map.Entry::getKey,
                                                    each -> (long) each.getValue().size())));
            assertThat(new HashSet<>(stage.rows("select entity, user_id from user_reaction")))
                    .isEqualTo(
                            likes.entrySet().stream()
                                    .flatMap(
                                            each ->
                                                    each.getValue().stream()
                                                            .map(
                                                                    user ->
                                                                            each.getKey()
                                                                                    + " "
                                                                                    + user))
                                    .collect(Collectors.toSet()));
            assertThat(new HashSet<>(stage.rows("select * from friendship")))
                    .isEqualTo(friendships());
            assertThat(stage.rows("select user_id from user_profile"))
                    .hasSize(users.at("/report/applied").intValue());
            assertThat(
                            Imports.run(service, query, text("like.csv"))
                                    .at("/report/applied")
                                    .longValue())
                    .isZero();
            stage.assertSound();
        }
    }

    private String text(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    private Map<String, Set<String>> likes() throws IOException {
        var likes = new TreeMap<String, Set<String>>();
        for (String line : Files.readAllLines(folder.resolve("like.csv"))) {
            List<String> ids = Arrays.asList(line.strip().split("[^0-9]+"));
            likes.computeIfAbsent(ids.getFirst(), _ -> new TreeSet<>())
                    .addAll(ids.subList(1, ids.size()));
        }
        return likes;
    }

    private Set<String> friendships() throws IOException {
        var pairs = new HashSet<String>();
        for (String line : Files.readAllLines(folder.resolve("friends.csv"))) {
            String[] pair = line.strip().split(",");
            pairs.add(pair[0] + " " + pair[1]);
            pairs.add(pair[1] + " " + pair[0]);
        }
        return pairs;
    }

    /** The counts above 0, by object. */
    private static Map<String, Long> shown(Instance service, List<String> objects) {
        var shown = new TreeMap<String, Long>();
        for (int i = 0; i < objects.size(); i += SCREEN) {
            String screen =
                    objects.subList(i, Math.min(i + SCREEN, objects.size())).stream()
                            .collect(Collectors.joining("\",\"", "\"", "\""));
            service.send(
                            "POST",
                            "/reactions/query",
                            "{\"namespace_id\":\"%s\",\"entities\":[%s]}".formatted(NOTES, screen))
                    .json()
                    .at("/entities")
                    .forEach(
                            entity ->
                                    entity.at("/reactions_count")
                                            .forEach(
                                                    count ->
                                                            shown.put(
                                                                    entity.at("/entity_id")
                                                                            .stringValue(),
                                                                    count.at("/count")
                                                                            .longValue())));
        }
        return shown;
    }
}
