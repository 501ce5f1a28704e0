package dev.ovation.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;

import dev.ovation.credential.TestKeys;
import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Chromium;
import dev.ovation.testing.Imports;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/** The page {@code /console} in Debian's Chromium. */
@Beside
@Order(1)
class ConsoleInBrowserTest {

    private static final String ALL =
            "scopes: [operate, configure, transfer, erase, reactions:read, reactions:write]";
    private static final String NAMESPACES = "namespaces.yaml";
    private static final String READS_OF_JOBS = "**/jobs?**";

    private static final Path CONFIG = Path.of("target/console/config");

    @TempDir static Path folder;

    private static Stage stage;
    private static Instance service;
    private static Chromium browser;
    private static String key;
    private static String narrowKey;

    @BeforeAll
    static void start() throws IOException {
        var keys = new TestKeys(folder.resolve("keys.yaml"));
        key = keys.add("olga", ALL);
        narrowKey = keys.add("nils", "scopes: [operate]");
        Files.createDirectories(CONFIG);
        restoreFiles();
        stage = Stage.open();
        service =
                stage.launch(
                                Stage.settings(
                                        Stage.PATIENT,
                                        "ovation.config-dir=" + CONFIG,
                                        "ovation.access.keys=" + keys.file(),
                                        "management.health.diskspace.enabled=false",
                                        "ovation.internal.console.interval=1h"))
                        .attached(withKey());
        browser = Chromium.start();
    }

    private static void restoreFiles() throws IOException {
        for (String name : List.of("reactions.yaml", "reaction_sets.yaml", NAMESPACES)) {
            Files.writeString(
                    CONFIG.resolve(name), Files.readString(Path.of("config").resolve(name)));
        }
    }

    private static String[] withKey() {
        return new String[] {"Authorization", "Bearer " + key};
    }

    private static Answer call(String method, String path) {
        return service.send(method, path, null, withKey());
    }

    private static void react(String namespace, String entity, String user, String reaction) {
        String body = Instance.body(namespace, entity, user, reaction);
        assertThat(service.send("POST", "/reactions", body, withKey()).status()).isEqualTo(200);
    }

    @AfterAll
    static void stop() {
        browser.close();
        stage.close();
    }

    @BeforeEach
    void firstRules() throws IOException {
        restoreFiles();
        Answer answer = call("POST", "/configuration/rollback?version=1&accept_loss=true");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    @AfterEach
    void close() {
        browser.closePages();
    }

    private static Page openWithoutKey(String view, Browser.NewContextOptions options) {
        return browser.open(
                "http://localhost:%d/console#%s".formatted(service.port(), view), options);
    }

    private static Page open(String view, Browser.NewContextOptions options) {
        Page page = openWithoutKey(view, options);
        enter(page, key);
        assertThat(page.locator("#key-dialog")).isHidden();
        return page;
    }

    private static Page open(String view) {
        return open(view, new Browser.NewContextOptions());
    }

    private static void enter(Page page, String text) {
        page.getByLabel("Key of an operator").fill(text);
        button(page, "Use this key").click();
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    private static Locator row(Page page, String table, String text) {
        return page.locator("[aria-label='" + table + "'] tbody tr")
                .filter(new Locator.FilterOptions().setHasText(text));
    }

    private static Locator news(Page page) {
        return page.locator(".news");
    }

    private static Locator cell(Locator row, int column) {
        return row.locator("td").nth(column);
    }

    /** Replaces the limit of a namespace in the text of the editor. */
    private static void edit(Page page, String namespace, String limit) {
        Locator text = page.locator("#configuration");
        assertThat(text).hasValue(Pattern.compile("\"" + namespace + "\""));
        String before = text.inputValue();
        String after =
                before.replaceFirst(
                        "(\"id\": ?\"%s\"[^}]*?\"max_uniq_reactions\": ?)\\d+".formatted(namespace),
                        "$1" + limit);
        assertThat(after).isNotEqualTo(before);
        text.fill(after);
    }

    private static String rules(String namespace) {
        return call("GET", "/configuration/namespace?namespace_id=" + namespace).body();
    }

    @Test
    void aWrongKeyIsRefusedWithItsReason() {
        Page page = openWithoutKey("overview", new Browser.NewContextOptions());
        assertThat(page.locator("#key-dialog")).isVisible();
        assertThat(page.locator("#key-problem")).containsText("no valid credential (401)");
        enter(page, "wrong");
        assertThat(page.locator("#key-dialog")).isVisible();
        assertThat(page.locator("#key-problem")).containsText("no valid credential (401)");
        Chromium.assertAccessible(page);
        enter(page, key);
        assertThat(row(page, "Parts of the service", "redis")).containsText("UP");
        assertThat(page.locator("#key-dialog")).isHidden();
        page.reload();
        assertThat(row(page, "Parts of the service", "redis")).containsText("UP");
    }

    @Test
    void aKeyWithoutAScopeShowsWhichOneItLacks() {
        Page page = openWithoutKey("jobs", new Browser.NewContextOptions());
        enter(page, narrowKey);
        Locator problem = page.locator("main .problem");
        assertThat(problem).containsText("The credential does not allow this (403)");
        assertThat(problem).containsText("transfer");
        button(page, "Use another key").click();
        enter(page, key);
        assertThat(page.locator("#key-dialog")).isHidden();
        assertThat(problem).hasCount(0);
    }

    @Test
    void aChangeIsRehearsedAppliedAndTakenBack() {
        react("stories", "console", "ann", "👍");
        react("stories", "console", "ben", "❤️");
        Page page = open("rules");
        assertThat(row(page, "Namespaces", "stories")).containsText("at most 6");
        edit(page, "stories", "1");
        button(page, "Dry run").click();
        assertThat(page.locator(".preview"))
                .containsText("namespace stories: max_uniq_reactions 6 -> 1");
        Locator impact = row(page, "Impact", "stories");
        assertThat(cell(impact, 1)).hasText(Pattern.compile("more kinds of reactions"));
        assertThat(cell(impact, 3)).hasText("1");
        assertThat(cell(impact, 5)).hasText("2");
        assertThat(rules("stories")).contains("\"max_uniq_reactions\":6");

        button(page, "Apply").click();
        assertThat(news(page)).hasText("The change is in force.");
        assertThat(row(page, "Namespaces", "stories")).containsText("at most 1");
        assertThat(rules("stories")).contains("\"max_uniq_reactions\":1,");

        page.locator("nav a[href='#versions']").click();
        Locator newest = page.locator("[aria-label='Versions'] tbody tr").first();
        assertThat(newest).containsText("namespace stories: max_uniq_reactions 6 -> 1");
        assertThat(newest).containsText("olga");
        button(page, "Roll back to 1").click();
        assertThat(page.locator(".preview"))
                .containsText("namespace stories: max_uniq_reactions 1 -> 6");
        button(page, "Put the rules of version 1 in force").click();
        assertThat(news(page)).containsText("The rules of version 1 are in force as version");
        assertThat(newest).containsText("namespace stories: max_uniq_reactions 1 -> 6");
        assertThat(rules("stories")).contains("\"max_uniq_reactions\":6");
    }

    @Test
    void aLossNeedsConsent() {
        react("photos", "console", "ann", "like");
        Page page = open("rules");
        Locator text = page.locator("#configuration");
        assertThat(text).hasValue(Pattern.compile("\"photos\""));
        text.fill(text.inputValue().replaceFirst("\\{\"id\": ?\"photos\"[^}]*},", ""));
        button(page, "Dry run").click();
        assertThat(row(page, "Impact", "photos")).containsText("The namespace vanishes");
        assertThat(button(page, "Apply")).isDisabled();
        page.getByLabel("I accept that namespaces with reactions vanish.").check();
        button(page, "Apply").click();
        assertThat(news(page)).hasText("The change is in force.");
        assertThat(row(page, "Namespaces", "photos")).hasCount(0);
        assertThat(rules("photos")).contains("unknown-namespace");
    }

    @Test
    void aTextWithErrorsIsRefusedWithTheirPlaces() {
        Page page = open("rules");
        edit(page, "posts", "-1");
        button(page, "Dry run").click();
        Locator problem = page.locator("main .problem");
        assertThat(problem).containsText("The configuration is invalid (422)");
        assertThat(problem.locator("li")).containsText("max_uniq_reactions");
    }

    @Test
    void aChangeOfAnotherOperatorIsNotOverwritten() {
        Page page = open("rules");
        edit(page, "stories", "2");
        button(page, "Dry run").click();
        assertThat(button(page, "Apply")).isEnabled();
        String others = call("GET", "/configuration").body();
        Answer changed =
                service.send(
                        "POST",
                        "/configuration",
                        others.replaceFirst("(\"id\":\"photos\"[^}]*?reactions\":)1", "$12"),
                        "Content-Type",
                        "application/json",
                        withKey()[0],
                        withKey()[1]);
        assertThat(changed.status()).as(changed.body()).isEqualTo(200);
        button(page, "Apply").click();
        assertThat(page.locator("main .problem"))
                .containsText("Another configuration is in force (412)");
        assertThat(rules("stories")).contains("\"max_uniq_reactions\":6");
        assertThat(rules("photos")).contains("\"max_uniq_reactions\":2");
    }

    @Test
    void theDifferenceOfTheFilesIsShownAndApplied() throws IOException {
        Path file = CONFIG.resolve(NAMESPACES);
        Files.writeString(
                file,
                Files.readString(file).replace("max_uniq_reactions: 20", "max_uniq_reactions: 19"));
        Page page = open("rules");
        assertThat(page.locator(".badge")).hasText("differ from the rules in force");
        button(page, "Show the difference").click();
        assertThat(page.locator(".preview"))
                .containsText("namespace messages: max_uniq_reactions 20 -> 19");
        assertThat(rules("messages")).contains("\"max_uniq_reactions\":20");
        String shown = Files.readString(file);
        Files.writeString(file, shown.replace("max_uniq_reactions: 19", "max_uniq_reactions: 3"));
        button(page, "Apply the files").click();
        assertThat(page.locator("main .problem")).containsText("(412)");
        assertThat(rules("messages")).contains("\"max_uniq_reactions\":20");
        Files.writeString(file, shown);
        button(page, "Apply the files").click();
        assertThat(page.locator(".badge")).hasText("equal the rules in force");
        assertThat(rules("messages")).contains("\"max_uniq_reactions\":19");
    }

    @Test
    void theProgressOfAJobIsShown() {
        String id;
        Page page;
        try (var _ = stage.holdRelays()) {
            String file = Imports.everywhere("posts", List.of("imported"), 377);
            id = Imports.id(Imports.send(service, "kind=reactions", Imports.CSV, file, withKey()));
            page = open("jobs");
            Locator job = row(page, "Jobs", "import-reactions").first();
            assertThat(cell(job, 0)).hasText(id);
            assertThat(cell(job, 2)).hasText("running");
            assertThat(cell(job, 3)).hasText(Pattern.compile("of 377"));
            assertThat(job.locator("progress")).hasAttribute("max", "377");

            var next = Imports.send(service, "kind=reactions", Imports.CSV, file, withKey());
            Locator second = row(page, "Jobs", "waiting");
            assertThat(cell(second, 0)).hasText(Imports.id(next));
            Route begunBefore = heldRead(page);
            second.getByRole(AriaRole.BUTTON).click();
            answer(page, begunBefore);
            assertThat(second.getByRole(AriaRole.BUTTON).innerText()).isEqualTo("Really cancel?");
            second.getByRole(AriaRole.BUTTON).click();
            assertThat(row(page, "Jobs", "cancelled")).hasCount(1);
            aLateAnswerIsDropped(page);
        }
        Locator job = row(page, "Jobs", "import-reactions").last();
        assertThat(cell(job, 2)).hasText("done");
        assertThat(cell(job, 3)).hasText(Pattern.compile("377 of 377"));
        job.locator("summary").click();
        assertThat(job.locator("pre")).containsText("\"applied\": 377");
    }

    private static void aLateAnswerIsDropped(Page page) {
        Route ofAllJobs = heldRead(page);
        page.locator("#job-state").selectOption("failed");
        Locator main = page.locator("main");
        assertThat(main).containsText("There are no such jobs.");
        answer(page, ofAllJobs);
        assertThat(main.innerText()).contains("There are no such jobs.");
        page.locator("#job-state").selectOption("");
        assertThat(row(page, "Jobs", "cancelled")).hasCount(1);
    }

    /** Returns the next read of the jobs, without an answer; later ones are answered. */
    private static Route heldRead(Page page) {
        var held = new AtomicReference<Route>();
        page.route(
                READS_OF_JOBS,
                route -> {
                    if (!held.compareAndSet(null, route)) {
                        route.resume();
                    }
                });
        page.waitForCondition(() -> held.get() != null);
        return held.get();
    }

    /** Lets a held read be answered; returns after the page has handled the answer. */
    private static void answer(Page page, Route held) {
        page.waitForResponse(each -> each.request().equals(held.request()), held::resume)
                .finished();
        page.evaluate("() => fetch('/console').then(each => each.text())");
        page.unroute(READS_OF_JOBS);
    }

    @Test
    void namesOfStrangersStayText() {
        String name = "<img src=x onerror=document.title='hacked'>";
        react("comments", name, "ann", "like");
        Wait.until(
                "the ranking has it",
                () ->
                        call("GET", "/entities/top?namespace_id=comments")
                                .json()
                                .get("entities")
                                .valueStream()
                                .anyMatch(
                                        each -> each.get("entity_id").stringValue().equals(name)));
        Page page = open("entities");
        page.locator("#top-namespace").selectOption("comments");
        button(page, "Show").click();
        assertThat(cell(row(page, "Entities with the highest counts", "onerror"), 1)).hasText(name);
        assertThat(page).hasTitle("Entities – Ovation console");
    }

    @Test
    void driftIsFoundByTheAuditAndRepairedOnRequest() {
        react("videos", "drifting", "ann", "like");
        stage.sql.update(
                """
                update counter set count = count + 5
                where  (p, entity_no) in (select p, no from entity where entity = 'drifting')
                """);
        Page page = open("entities");
        page.locator("#audit-namespace").selectOption("videos");
        page.locator("#audit-sample").fill("1000");
        Locator drift = row(page, "Drift", "drifting").first();
        button(page, "Audit").click();
        assertThat(drift).containsText("postgres");
        assertThat(cell(drift, 5)).hasText("1");
        assertThat(cell(drift, 6)).hasText("6");
        Chromium.assertAccessible(page);

        Locator repair = button(page, "Repair 1 entity");
        repair.click();
        assertThat(storedCount("drifting")).isEqualTo(6);
        button(page, "Really repair?").click();
        assertThat(page.locator("main")).containsText("1 of 1 entity repaired.");
        assertThat(cell(row(page, "Repairs", "drifting").first(), 7)).hasText("repaired");
        assertThat(storedCount("drifting")).isEqualTo(1);
        Chromium.assertAccessible(page);

        button(page, "Audit").click();
        assertThat(page.locator("main")).containsText("No drift");
        assertThat(repair).hasCount(0);
    }

    private static Integer storedCount(String entity) {
        return stage.sql.queryForObject(
                "select count from named_counter where entity = ?", Integer.class, entity);
    }

    @Test
    void constraintsAndSeasonsAreShown() throws IOException {
        append(
                NAMESPACES,
                """
                - id: talks
                  reaction_set_id: stories
                  max_uniq_reactions: 6
                  attributes: {age: int}
                  constraints:
                    - id: adults
                      expression: attributes.age >= 18
                      message: for <b>adults</b>
                """);
        append("reaction_sets.yaml", "- id: stories\n  reaction_ids: [👍, 🎄]\n");
        append(
                "reactions.yaml",
                """
                - id: 🎄
                  type: unicode
                  code: 🎄
                  available:
                    from: 2100-12-01T00:00:00Z
                    until: 2100-12-27T00:00:00Z
                    audience: {age: {min: 18}, country: [TW, JP]}
                """);
        assertThat(call("POST", "/actuator/refresh").status()).isEqualTo(200);
        String seasonal =
                """
                {"reaction_set_id":"stories","reaction":{"id":"❄️","type":"unicode","code":"❄️",
                 "available":{"until":"2100-12-27T00:00:00Z"}}}
                """;
        assertThat(service.send("POST", "/configuration/seasonal", seasonal, withKey()).status())
                .isEqualTo(201);

        Page page = open("rules");
        Locator constraint = row(page, "Constraints", "talks");
        assertThat(cell(constraint, 1)).hasText("adults");
        assertThat(cell(constraint, 2)).hasText("attributes.age >= 18");
        assertThat(cell(constraint, 3)).hasText("for <b>adults</b>");
        Locator tree = row(page, "Seasons and audiences", "🎄");
        assertThat(cell(tree, 0)).hasText("stories");
        assertThat(cell(tree, 2)).hasText("later");
        assertThat(cell(tree, 3).locator("time")).hasAttribute("datetime", "2100-12-01T00:00:00Z");
        assertThat(cell(tree, 5)).containsText("age 18 to any");
        assertThat(cell(tree, 5)).containsText("country TW, JP");
        assertThat(cell(tree, 6)).hasText("lists");
        Locator snow = row(page, "Seasons and audiences", "❄️");
        assertThat(cell(snow, 2)).hasText("now");
        assertThat(cell(snow, 3)).hasText("always");
        assertThat(cell(snow, 6)).hasText("API");
        assertThat(page.locator("[aria-busy]")).hasCount(0);
        Chromium.assertAccessible(page);

        firstRules();
        page.reload();
        Locator main = page.locator("main");
        assertThat(main).containsText("No namespace has constraints of its own.");
        assertThat(main).containsText("No reaction is restricted");
    }

    private static void append(String file, String text) throws IOException {
        Path path = CONFIG.resolve(file);
        Files.writeString(path, Files.readString(path) + "\n" + text);
    }

    @Test
    void anOutageIsShownAndHeals() {
        Page page = open("overview");
        assertThat(row(page, "Parts of the service", "redis")).containsText("UP");
        page.context().setOffline(true);
        assertThat(page.locator("main .problem").first())
                .containsText("The service does not answer");
        page.context().setOffline(false);
        assertThat(page.locator("main .problem")).hasCount(0);
        assertThat(row(page, "Parts of the service", "redis")).containsText("UP");
    }

    @Test
    void anAnswerThatIsCutOffIsShownAndHeals() {
        Page page = openWithoutKey("overview", new Browser.NewContextOptions());
        page.route(
                "**/console/series",
                route ->
                        route.fulfill(
                                new Route.FulfillOptions()
                                        .setContentType("application/json")
                                        .setBody("{\"samples\":[")));
        enter(page, key);
        assertThat(page.locator("main .problem")).containsText("The answer was cut off");
        page.unroute("**/console/series");
        assertThat(page.locator("main .problem")).hasCount(0);
    }

    /** On this machine a service without configured credentials asks for none. */
    @Test
    void aPartThatIsDownComesFirstWithItsReason() {
        try (Instance cutOff = beside("spring.data.redis.url=redis://localhost:1")) {
            Page page = open(cutOff);
            assertThat(row(page, "Parts of the service", "redis"))
                    .hasText(Pattern.compile("DOWN.*reason: .+"));
            assertThat(page.locator("[aria-label='Parts of the service'] tbody tr").first())
                    .containsText("DOWN");
            assertThat(row(page, "Parts of the service", "postgres")).containsText("UP");
            assertThat(page.locator("#key-dialog")).isHidden();
        }
    }

    @Test
    void anActuatorOnAPortOfItsOwnIsNamedAsTheCause() {
        try (Instance split = beside("management.server.port=0")) {
            Page page = open(split);
            assertThat(page.locator("main .problem")).containsText("MANAGEMENT_SERVER_PORT");
            assertThat(page.locator(".chart").first()).containsText("No sample yet");
        }
    }

    @Test
    void theInstancesBehindABalancerAreDistinguished() {
        Page page = openWithoutKey("overview", new Browser.NewContextOptions());
        var answers = new AtomicInteger();
        page.route(
                "**/console/series",
                route -> {
                    var answer = route.fetch();
                    String other = answers.getAndIncrement() == 0 ? "$1" : "other-instance";
                    route.fulfill(
                            new Route.FulfillOptions()
                                    .setResponse(answer)
                                    .setBody(
                                            answer.text()
                                                    .replaceFirst(
                                                            "(?<=\"instance_id\":\")([^\"]+)",
                                                            other)));
                });
        enter(page, key);
        Locator choice = page.getByLabel("Instance");
        assertThat(page.locator("main .problem")).hasCount(0);
        assertThat(choice.locator("option")).hasCount(2);
        choice.selectOption("other-instance");
        assertThat(choice).isVisible();
    }

    private static Instance beside(String setting) {
        return stage.launch(Stage.settings(Stage.PATIENT, "ovation.config-dir=" + CONFIG, setting));
    }

    private static Page open(Instance other) {
        return browser.open(
                "http://localhost:%d/console".formatted(other.port()),
                new Browser.NewContextOptions());
    }

    @Test
    void thePageIsAccessibleInLightAndDark() {
        anHour();
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            String suffix = scheme.name().toLowerCase();
            var options = Chromium.still().setViewportSize(1200, 1380).setColorScheme(scheme);
            Page page = open("overview", options);
            assertThat(row(page, "Parts of the service", "redis")).containsText("UP");
            assertThat(page.locator(".chart svg").first())
                    .hasAttribute("aria-label", Pattern.compile("Reads.*highest.*/s"));
            assertAccessible(page, scheme);
            page.screenshot(Chromium.picture("console-" + suffix));
            for (String view : List.of("rules", "versions", "jobs", "entities")) {
                page.locator("nav a[href='#" + view + "']").click();
                assertThat(page.locator("main section").first()).isVisible();
                assertThat(page.locator("[aria-busy]")).hasCount(0);
                if (view.equals("rules")) {
                    edit(page, "posts", "1");
                    button(page, "Dry run").click();
                    assertThat(row(page, "Impact", "posts")).isVisible();
                    page.locator("#configuration").evaluate("each => { each.scrollTop = 0; }");
                }
                assertAccessible(page, scheme);
                if (view.equals("rules") && scheme == ColorScheme.LIGHT) {
                    page.screenshot(Chromium.picture("console-rules").setFullPage(true));
                }
            }
        }
        for (String view : List.of("overview", "rules", "versions", "jobs", "entities")) {
            Page page = open(view, Chromium.phone());
            assertThat(page.locator("main section").first()).isVisible();
            assertThat(page.locator("[aria-busy]")).hasCount(0);
            Chromium.assertAccessible(page);
            Chromium.assertNothingSticksOut(page);
            if (view.equals("overview")) {
                page.screenshot(Chromium.picture("console-phone"));
            }
        }
    }

    private static void assertAccessible(Page page, ColorScheme scheme) {
        if (scheme == ColorScheme.LIGHT) {
            Chromium.assertAccessible(page);
        } else {
            Chromium.assertContrast(page);
        }
    }

    @Test
    void aKeyboardIsEnough() {
        Page page = openWithoutKey("rules", new Browser.NewContextOptions());
        assertThat(page.getByLabel("Key of an operator")).isFocused();
        page.keyboard().type(key);
        page.keyboard().press("Enter");
        assertThat(row(page, "Namespaces", "posts")).isVisible();
        page.locator("nav a[href='#jobs']").focus();
        page.keyboard().press("Enter");
        assertThat(page.locator("h1")).hasText("Jobs");
        assertThat(page.locator("#main")).isFocused();
    }

    /** Lets the samples of real requests be those of an hour. */
    private static void anHour() {
        int samples = SeriesRecorder.MOST / 3;
        var recorder = service.bean(SeriesRecorder.class);
        Duration step = Duration.ofHours(1).dividedBy(samples);
        Instant first = Instant.now().minus(Duration.ofHours(1)).minus(step);
        long nanos = System.nanoTime();
        for (int i = 0; i <= samples; i++) {
            int number = 3 + (int) Math.round(3 * Math.sin(i / 12.0) + i % 3);
            for (int n = 0; n < number; n++) {
                react("posts", "hour-" + n, "user-" + i, i % 2 == 0 ? "👍" : "❤️");
                call("GET", "/reactions?namespace_id=posts&entity_id=hour-" + n);
            }
            recorder.read(first.plus(step.multipliedBy(i)), nanos + step.multipliedBy(i).toNanos());
        }
    }
}
