package dev.ovation.live;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;

import dev.ovation.faults.Stage;
import dev.ovation.testing.Beside;
import dev.ovation.testing.Chromium;
import dev.ovation.testing.Instance;
import dev.ovation.testing.Wait;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The page {@code /demo} in Debian's Chromium. {@code -Ddocs.write=true} renews the pictures. */
@Beside
@Order(1)
class DemoInBrowserTest {

    private static final String READS_OF_REACTIONS = "**/configuration/available_reactions?**";
    private static final String THUMB =
            "{\"id\":\"👍\",\"type\":\"unicode\",\"code\":\"👍\",\"short_name\":\"thumbs up\"}";
    private static final String SNOW =
            "{\"id\":\"❄️\",\"type\":\"unicode\",\"code\":\"❄️\",\"short_name\":\"snow\"}";

    /** Longer than the element waits after a failed reading. */
    private static final long PAUSE_MILLIS = 41_000;

    private static Stage stage;
    private static Instance service;
    private static Chromium browser;

    @BeforeAll
    static void start() {
        stage = Stage.open();
        service = launch(0);
        browser = Chromium.start();
    }

    private static Instance launch(int port) {
        return stage.start(
                Stage.settings(Stage.PATIENT, "ovation.config-dir=config", "server.port=" + port));
    }

    @AfterAll
    static void stop() {
        browser.close();
        stage.close();
    }

    @BeforeEach
    void empty() {
        for (int post = 1; post <= 3; post++) {
            var erased =
                    service.send(
                            "DELETE", "/entities?namespace_id=posts&entity_id=demo-" + post, null);
            assertThat(erased.status()).isIn(200, 202);
        }
    }

    @AfterEach
    void close() {
        browser.closePages();
    }

    private Page open(String user, Browser.NewContextOptions options) {
        return browser.open(
                "http://localhost:%d/demo?user=%s".formatted(service.port(), user), options);
    }

    private Page open(String user) {
        return open(user, new Browser.NewContextOptions());
    }

    private static Locator reactions(Page page, int post) {
        return page.locator("ovation-reactions[entity=demo-" + post + "]");
    }

    private static Locator count(Page page, int post, String name) {
        return reactions(page, post).locator("[part=bar] [aria-label^='" + name + ":']");
    }

    private static void pick(Page page, int post, String name) {
        reactions(page, post).locator("[part=add]").click();
        reactions(page, post).locator("[part=picker] [aria-label='" + name + "']").click();
    }

    private static Locator note(Page page, int post) {
        return reactions(page, post).locator("[part=note]");
    }

    @Test
    void aClickInOneWindowMovesTheCountInTheOther() {
        Page anns = open("ann");
        Page bens = open("ben");
        pick(anns, 1, "thumbs up");
        assertThat(count(anns, 1, "thumbs up")).hasText("👍 1");
        assertThat(count(bens, 1, "thumbs up")).hasText("👍 1");
        assertThat(count(bens, 1, "thumbs up")).hasAttribute("aria-pressed", "false");
        count(bens, 1, "thumbs up").click();
        assertThat(count(anns, 1, "thumbs up")).hasText("👍 2");
        assertThat(count(anns, 1, "thumbs up")).hasAttribute("aria-pressed", "true");
        pick(anns, 1, "thumbs down");
        assertThat(count(bens, 1, "thumbs down")).hasText("👎 1");
        assertThat(count(bens, 1, "thumbs up")).hasText("👍 1");
        assertThat(count(anns, 1, "thumbs up")).hasAttribute("aria-pressed", "false");
        assertThat(stage.count("posts", "demo-1", "👎")).isEqualTo(1);
    }

    @Test
    void aKeyboardIsEnough() {
        Page page = open("ann");
        reactions(page, 1).locator("[part=add]").focus();
        page.keyboard().press("Enter");
        assertThat(reactions(page, 1).locator("[part=picker] button").first()).isFocused();
        page.keyboard().press("ArrowRight");
        page.keyboard().press("ArrowLeft");
        page.keyboard().press("Enter");
        assertThat(count(page, 1, "thumbs up")).hasAttribute("aria-pressed", "true");
        assertThat(reactions(page, 1).locator("[part=add]")).isFocused();
        page.keyboard().press("Enter");
        page.keyboard().press("Escape");
        assertThat(reactions(page, 1).locator("[part=picker]")).isHidden();
    }

    @Test
    void usersWhoReactedAreListedFriendsFirst() {
        for (String user : List.of("ben", "cleo", "dan")) {
            assertThat(service.add("posts", "demo-1", user, "👍").status()).isEqualTo(200);
        }
        assertThat(service.send("PUT", "/users/friends?user_id=ann&friend_id=ben", null).status())
                .isEqualTo(200);
        Page page = open("ann");
        reactions(page, 1).locator("[part=who]").click();
        Locator people = reactions(page, 1).locator("[part=people] li");
        assertThat(people).hasCount(3);
        assertThat(people.first()).containsText("ben · friend");
    }

    private static void available(Route route, String... reactions) {
        route.fulfill(
                new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setHeaders(Map.of("Cache-Control", "public, max-age=0"))
                        .setBody("{\"reactions\":[%s]}".formatted(String.join(",", reactions))));
    }

    private static void unavailable(Route route) {
        route.fulfill(
                new Route.FulfillOptions()
                        .setStatus(503)
                        .setContentType("application/problem+json")
                        .setBody("{\"code\":\"unavailable\",\"detail\":\"no rules now\"}"));
    }

    /** The picker follows the list at the end of its max-age. */
    @Test
    void aReactionLeavesThePickerWithItsSeason() {
        var isOver = new AtomicBoolean();
        Page page = open("ann");
        page.route(
                READS_OF_REACTIONS,
                route -> {
                    if (isOver.get()) {
                        available(route, THUMB);
                    } else {
                        available(route, SNOW, THUMB);
                    }
                });
        page.reload();
        Locator picker = reactions(page, 1).locator("[part=picker] button");
        assertThat(picker).hasCount(2);
        isOver.set(true);
        assertThat(picker).hasCount(1);
        assertThat(picker.first()).hasAttribute("aria-label", "thumbs up");
    }

    @Test
    void theNoteOfRulesThatCouldNotBeReadLeavesWithTheNextReading() {
        Page page = open("ann");
        page.route(READS_OF_REACTIONS, DemoInBrowserTest::unavailable);
        page.clock().install();
        page.reload();
        assertThat(note(page, 1)).hasText("no rules now");
        page.unroute(READS_OF_REACTIONS);
        page.clock().fastForward(PAUSE_MILLIS);
        assertThat(note(page, 1)).hasText("");
    }

    /** One that left the list keeps its name, also when the list could not be read meanwhile. */
    @Test
    void aReactionKeepsItsNameAfterAFailedReading() {
        assertThat(service.add("posts", "demo-1", "ben", "👍").status()).isEqualTo(200);
        Page page = open("ann");
        page.route(READS_OF_REACTIONS, route -> available(route, SNOW, THUMB));
        page.clock().install();
        page.reload();
        Locator picker = reactions(page, 1).locator("[part=picker] button");
        assertThat(picker).hasCount(2);
        assertThat(count(page, 1, "thumbs up")).hasText("👍 1");
        page.unroute(READS_OF_REACTIONS);

        var failures = new AtomicInteger();
        page.route(
                READS_OF_REACTIONS,
                route -> {
                    failures.incrementAndGet();
                    unavailable(route);
                });
        page.clock().fastForward(PAUSE_MILLIS);
        page.waitForCondition(() -> failures.get() > 0);
        page.unroute(READS_OF_REACTIONS);

        page.route(READS_OF_REACTIONS, route -> available(route, SNOW));
        page.clock().fastForward(PAUSE_MILLIS);
        assertThat(picker).hasCount(1);
        assertThat(count(page, 1, "thumbs up")).hasText("👍 1");
    }

    @Test
    void aRefusedWriteIsTakenBackAndItsReasonIsShown() {
        Page page = open("ann");
        page.route(
                "**/reactions?**",
                route -> {
                    if (route.request().method().equals("POST")) {
                        route.fulfill(
                                new Route.FulfillOptions()
                                        .setStatus(403)
                                        .setContentType("application/problem+json")
                                        .setBody(
                                                "{\"code\":\"max-uniq-reactions\",\"detail\":\"max unique reactions reached for entity\"}"));
                    } else {
                        route.resume();
                    }
                });
        pick(page, 1, "thumbs up");
        assertThat(note(page, 1)).hasText("max unique reactions reached for entity");
        assertThat(count(page, 1, "thumbs up")).hasCount(0);
        assertThat(stage.count("posts", "demo-1", "👍")).isZero();
    }

    @Test
    void aWriteWithoutANetworkIsRepeatedWhenThereIsOneAgain() {
        Page page = open("ann");
        assertThat(reactions(page, 1).locator("[part=who]")).isHidden();
        page.context().setOffline(true);
        pick(page, 1, "thumbs up");
        assertThat(note(page, 1)).hasText("Not saved yet, trying again …");
        page.context().setOffline(false);
        assertThat(note(page, 1)).hasText("");
        assertThat(count(page, 1, "thumbs up")).hasText("👍 1");
        Wait.until("it is saved", () -> stage.count("posts", "demo-1", "👍") == 1);
    }

    @Test
    void aRestartOfTheServiceIsShownAndHeals() {
        Page page = open("ann");
        pick(page, 1, "thumbs up");
        assertThat(count(page, 1, "thumbs up")).hasText("👍 1");
        int port = service.port();
        service.close();
        assertThat(note(page, 1)).hasText("Not live, connecting again …");
        service = launch(port);
        assertThat(service.add("posts", "demo-1", "ben", "👍").status()).isEqualTo(200);
        assertThat(note(page, 1)).hasText("");
        assertThat(count(page, 1, "thumbs up")).hasText("👍 2");
    }

    @Test
    void thePageIsAccessibleInLightAndDark() {
        for (String user : List.of("ben", "cleo", "dan")) {
            assertThat(service.add("posts", "demo-1", user, "👍").status()).isEqualTo(200);
            assertThat(service.add("posts", "demo-2", user, "🎉").status()).isEqualTo(200);
        }
        assertThat(service.add("posts", "demo-1", "ann", "❤️").status()).isEqualTo(200);
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            Page page = open("ann", Chromium.still().setColorScheme(scheme));
            assertThat(count(page, 1, "thumbs up")).hasText("👍 3");
            reactions(page, 2).locator("[part=add]").click();
            Chromium.assertAccessible(page);
            page.screenshot(Chromium.picture("demo-" + scheme.name().toLowerCase()));
            reactions(page, 1).locator("[part=who]").click();
            assertThat(reactions(page, 1).locator("[part=people] li")).hasCount(4);
            Chromium.assertAccessible(page);
        }
        Page page = open("ann", Chromium.phone());
        assertThat(count(page, 1, "thumbs up")).hasText("👍 3");
        page.screenshot(Chromium.picture("demo-phone"));
        page.evaluate("document.documentElement.dir = 'rtl'");
        reactions(page, 1).locator("[part=add]").click();
        Chromium.assertAccessible(page);
        Chromium.assertNothingSticksOut(page);
    }
}
