package dev.ovation.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Checks that {@code docs/api.md} is the output of {@link ApiPage} for the OpenAPI document.
 * Property {@code docs.write} writes the page instead of comparing it.
 */
class ApiPageTest {

    private static final Path PAGE = Path.of("docs/api.md");

    @Test
    void theCommittedPageIsThatOfTheDocument() throws IOException {
        String made = ApiPage.of(OpenApiDocument.whole());
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(PAGE, made);
        }
        assertThat(Files.readString(PAGE))
                .as("run ./mvnw test -Dtest=ApiPageTest -Ddocs.write=true and commit docs/api.md")
                .isEqualTo(made);
    }

    @Test
    void everyOperationHasASection() throws IOException {
        String page = Files.readString(PAGE);
        Map<String, Object> paths = ApiSchemas.map(OpenApiDocument.whole(), "paths");

        assertThat(paths).isNotEmpty();
        paths.forEach(
                (path, _) ->
                        ApiSchemas.map(paths, path)
                                .forEach(
                                        (method, _) ->
                                                assertThat(page)
                                                        .containsOnlyOnce(
                                                                "\n### "
                                                                        + method.toUpperCase(
                                                                                java.util.Locale
                                                                                        .ROOT)
                                                                        + " "
                                                                        + path
                                                                        + "\n")));
    }
}
