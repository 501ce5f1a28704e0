package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.testing.Beside;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Patience;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares the answers of {@code /pcc} with the imported files of the contest: the sample of this
 * project, or {@code -Dpcc.data=<folder of user.csv, friends.csv, like.csv>}.
 */
@Beside
class ContestDataTest {

    private static final Path FOLDER =
            Path.of(System.getProperty("pcc.data", "src/test/resources/pcc"));
    private static final int ASKING = 16;
    private static final int NON_LIKES = 100_000;
    private static final int LISTS = 1_000;

    private static Stage stage;
    private static Instance service;
    private static JsonNode users;
    private static JsonNode friends;
    private static JsonNode likes;

    /** Likes by object, and friends by user, from the files; this test parses them itself. */
    private static final Map<String, Set<String>> LIKES = new TreeMap<>();

    private static final Map<String, Set<String>> FRIENDS = new HashMap<>();
    private static final Set<String> USERS = new TreeSet<>();

    /** An object and a user. */
    private record Pair(String object, String user) {}

    @BeforeAll
    static void importAll() throws IOException {
        for (List<String> line : lines("like.csv")) {
            LIKES.computeIfAbsent(line.getFirst(), _ -> new TreeSet<>())
                    .addAll(line.subList(1, line.size()));
        }
        for (List<String> line : lines("friends.csv")) {
            if (line.size() == 2 && !line.getFirst().equals(line.getLast())) {
                befriend(line.getFirst(), line.getLast());
                befriend(line.getLast(), line.getFirst());
            }
        }
        for (String line : Files.readAllLines(FOLDER.resolve("user.csv"))) {
            USERS.add(line.split(",", 2)[0]);
        }
        stage = Stage.open();
        service =
                stage.start(
                        Patience.longWith("ovation.config-dir=config", "ovation.pcc.enabled=true"));
        users = take("users", "user.csv");
        friends = take("friends", "friends.csv");
        likes = take("likes", "like.csv");
    }

    private static List<List<String>> lines(String name) throws IOException {
        return Files.readAllLines(FOLDER.resolve(name)).stream()
                .map(line -> List.of(line.split("[,:\\[\\]]+")))
                .filter(words -> isNumber(words.getFirst()))
                .map(words -> words.stream().filter(ContestDataTest::isNumber).toList())
                .toList();
    }

    private static boolean isNumber(String word) {
        return word.matches("[0-9]+");
    }

    private static void befriend(String user, String friend) {
        FRIENDS.computeIfAbsent(user, _ -> new HashSet<>()).add(friend);
    }

    private static JsonNode take(String kind, String name) throws IOException {
        String file = Files.readString(FOLDER.resolve(name));
        JsonNode report = Imports.run(service, "kind=pcc-" + kind, file).at("/report");
        System.out.println(name + ": " + report);
        return report;
    }

    @AfterAll
    static void close() {
        stage.close();
    }

    @Test
    void theReportsSayHowMuchIsNew() {
        assertThat(users.at("/applied").intValue()).isEqualTo(USERS.size());
        assertThat(friends.at("/applied").intValue())
                .isEqualTo(FRIENDS.values().stream().mapToInt(Set::size).sum() / 2);
        assertThat(likes.at("/applied").intValue()).isEqualTo(likes().size());
        assertThat(likes.at("/objects_without_likes").asInt(0))
                .isEqualTo((int) LIKES.values().stream().filter(Set::isEmpty).count());
        stage.assertSound();
    }

    @Test
    void eachObjectCountsTheDistinctUsersOfItsLine() throws Exception {
        assertThat(
                        answers(
                                LIKES.keySet(),
                                object -> ask("count", "oid", object).at("/count").asInt(-1)))
                .isEqualTo(
                        LIKES.entrySet().stream()
                                .collect(
                                        Collectors.toMap(
                                                Map.Entry::getKey,
                                                each -> each.getValue().size())));
    }

    @Test
    void isLikeIsOneForEachLike() throws Exception {
        assertThat(answers(likes(), ContestDataTest::isLike))
                .hasSizeGreaterThan(1)
                .values()
                .containsOnly(1);
    }

    @Test
    void isLikeIsZeroForOthers() throws Exception {
        Set<Pair> others = pairs(NON_LIKES);
        assertThat(answers(others, ContestDataTest::isLike))
                .hasSizeGreaterThan(1)
                .values()
                .containsOnly(0);
    }

    @Test
    void aListOfFriendsIsTheIntersectionOfTheFiles() throws Exception {
        Set<Pair> some = pairs(LISTS);
        some.addAll(likes().stream().limit(LISTS).toList());

        assertThat(answers(some, ContestDataTest::listed))
                .isEqualTo(
                        some.stream()
                                .collect(
                                        Collectors.toMap(
                                                pair -> pair, ContestDataTest::friendsWhoLike)));
    }

    @Test
    void theSameFilesAgainChangeNothing() throws IOException {
        for (String kind : List.of("user", "friend", "like")) {
            String name = kind.equals("friend") ? "friends.csv" : kind + ".csv";
            assertThat(take(kind + "s", name).at("/applied").intValue()).as(name).isZero();
        }
        stage.assertSound();
    }

    private static Set<Pair> likes() {
        return LIKES.entrySet().stream()
                .flatMap(
                        each -> each.getValue().stream().map(user -> new Pair(each.getKey(), user)))
                .collect(Collectors.toSet());
    }

    /** Up to {@code many} pairs of an object and a user without a like of it. */
    private static Set<Pair> pairs(int many) {
        var random = new Random(377);
        var objects = List.copyOf(LIKES.keySet());
        var users = List.copyOf(USERS);
        Stream<Pair> candidates =
                objects.size() * users.size() > 2 * many
                        ? Stream.generate(
                                () ->
                                        new Pair(
                                                objects.get(random.nextInt(objects.size())),
                                                users.get(random.nextInt(users.size()))))
                        : objects.stream()
                                .flatMap(
                                        object ->
                                                users.stream().map(user -> new Pair(object, user)));
        return candidates
                .filter(pair -> !LIKES.get(pair.object).contains(pair.user))
                .distinct()
                .limit(many)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static int isLike(Pair pair) {
        return ask("is_like", "oid", pair.object, "uid", pair.user).at("/is_like").asInt(-1);
    }

    private static Set<String> friendsWhoLike(Pair pair) {
        var both = new HashSet<>(LIKES.get(pair.object));
        both.retainAll(FRIENDS.getOrDefault(pair.user, Set.of()));
        return both;
    }

    private static Set<String> listed(Pair pair) {
        var listed = new HashSet<String>();
        String cursor = "0";
        do {
            JsonNode page =
                    ask(
                            "list",
                            "oid",
                            pair.object,
                            "uid",
                            pair.user,
                            "is_friend",
                            "1",
                            "page_size",
                            "7",
                            "cursor",
                            cursor);
            page.at("/like_list").forEach(like -> listed.addAll(like.propertyNames()));
            cursor = page.at("/next_cursor").asString("none");
        } while (!cursor.equals("0"));
        return listed;
    }

    private static JsonNode ask(String action, String... query) {
        var path = new StringBuilder("/pcc?action=" + action);
        for (int i = 0; i < query.length; i += 2) {
            path.append('&').append(query[i]).append('=').append(query[i + 1]);
        }
        JsonNode answer = service.get(path.toString()).json();
        assertThat(answer.has("error_code")).as(answer.toString()).isFalse();
        return answer;
    }

    /** Sends many requests at once. */
    private static <T, A> Map<T, A> answers(Set<T> questions, Function<T, A> ask) throws Exception {
        var answers = new HashMap<T, A>();
        var asked = new ArrayList<>(questions);
        try (var threads = Executors.newFixedThreadPool(ASKING)) {
            var all =
                    threads.invokeAll(
                            asked.stream()
                                    .map(question -> (Callable<A>) () -> ask.apply(question))
                                    .toList());
            for (int i = 0; i < asked.size(); i++) {
                answers.put(asked.get(i), all.get(i).get());
            }
        }
        return answers;
    }
}
