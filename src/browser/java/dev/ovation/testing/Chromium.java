package dev.ovation.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ReducedMotion;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Debian's Chromium for the test of a page. {@code -Ddocs.write=true} writes the pictures to the
 * manuals.
 */
public final class Chromium implements AutoCloseable {

    private static final Path PICTURES =
            Path.of(Boolean.getBoolean("docs.write") ? "docs/images" : "target/images");
    private static final double PATIENCE_MILLIS = 30_000;

    private final Playwright playwright =
            Playwright.create(
                    new Playwright.CreateOptions()
                            .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    private final Browser browser;
    private final List<BrowserContext> contexts = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();

    private Chromium() {
        browser =
                playwright
                        .chromium()
                        .launch(new BrowserType.LaunchOptions().setExecutablePath(installed()));
    }

    /** Starts the browser; fails if none is installed. */
    public static Chromium start() {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        return new Chromium();
    }

    private static Path installed() {
        return Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
                .map(Path::of)
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no browser; install chromium"));
    }

    /** Opens a page in a context of its own. */
    public Page open(String url, Browser.NewContextOptions options) {
        BrowserContext context = browser.newContext(options.setLocale("en"));
        contexts.add(context);
        Page page = context.newPage();
        page.onPageError(complaints::add);
        page.onConsoleMessage(
                message -> {
                    if (message.text().contains("Content Security Policy")) {
                        complaints.add(message.text());
                    }
                });
        page.navigate(url);
        return page;
    }

    /** Closes all pages, and fails if a script failed or the policy of a page forbade something. */
    public void closePages() {
        contexts.forEach(BrowserContext::close);
        contexts.clear();
        List<String> found = List.copyOf(complaints);
        complaints.clear();
        assertThat(found).as("complaints of the browser").isEmpty();
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }

    /** Options of a page whose picture is taken. */
    public static Browser.NewContextOptions still() {
        return new Browser.NewContextOptions().setReducedMotion(ReducedMotion.REDUCE);
    }

    /** Options of a phone whose picture is taken. */
    public static Browser.NewContextOptions phone() {
        return still().setViewportSize(390, 780).setDeviceScaleFactor(2);
    }

    public static Page.ScreenshotOptions picture(String name) {
        return new Page.ScreenshotOptions().setPath(PICTURES.resolve(name + ".png"));
    }

    /** Asserts that axe finds no violation. */
    public static void assertAccessible(Page page) {
        assertNoViolation(page, "{}");
    }

    /**
     * Asserts that axe finds no violation of contrast, which alone depends on the colour scheme.
     */
    public static void assertContrast(Page page) {
        assertNoViolation(page, "{runOnly: ['color-contrast']}");
    }

    private static void assertNoViolation(Page page, String options) {
        if (!((Boolean) page.evaluate("'axe' in window"))) {
            page.evaluate(axe());
        }
        Object violations =
                page.evaluate(
                        "async () => (await axe.run(%s)).violations.map(each => each.id + ': '"
                                        .formatted(options)
                                + " + each.nodes.map(node => node.failureSummary + ' ' + node.target).join('; '))");
        assertThat((List<?>) violations).isEmpty();
    }

    /** Asserts that the page is not wider than its window. */
    public static void assertNothingSticksOut(Page page) {
        assertThat((Boolean) page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                .as("nothing sticks out of the window")
                .isTrue();
    }

    private static String axe() {
        try (var script = Chromium.class.getResourceAsStream("/axe.min.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
