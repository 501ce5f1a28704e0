package dev.ovation;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Map.entry;
import static java.util.stream.Collectors.toCollection;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import dev.ovation.testing.Beside;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Dependencies and sizes of packages. A module is a package below {@code dev.ovation}, with its
 * sub-packages.
 */
@Beside
class ModularityTest {

    private static final String ROOT = "dev.ovation";
    private static final Path SOURCES = Path.of("src/main/java/dev/ovation");
    private static final int MOST_FILES = 15;

    /** The classes of the program. */
    static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages(ROOT);

    @Test
    void modulesKnowTheseAndNoOthers() {
        Map<String, Set<String>> edges = new TreeMap<>();
        CLASSES.forEach(each -> edges.put(module(each), new TreeSet<>()));
        dependencies().forEach(edge -> edges.get(module(edge.from)).add(module(edge.to)));

        assertThat(edges)
                .isEqualTo(
                        Map.ofEntries(
                                entry("", "command"),
                                entry("entity"),
                                entry("access"),
                                entry("web", "access", "entity", "trace"),
                                entry("trace", "entity"),
                                entry("credential", "access", "entity"),
                                entry("gate", "access", "credential", "entity", "trace", "web"),
                                entry("limit", "access", "entity", "web"),
                                entry("rules", "entity"),
                                entry("start"),
                                entry("store", "entity", "start"),
                                entry("hot", "background", "entity", "store", "trace"),
                                entry("background", "start", "store"),
                                entry(
                                        "outbox",
                                        "background",
                                        "entity",
                                        "hot",
                                        "start",
                                        "store",
                                        "trace"),
                                entry(
                                        "configuration",
                                        "access",
                                        "credential",
                                        "hot",
                                        "limit",
                                        "rules",
                                        "start",
                                        "store",
                                        "web"),
                                entry(
                                        "audit",
                                        "background",
                                        "configuration",
                                        "entity",
                                        "hot",
                                        "outbox",
                                        "store",
                                        "web"),
                                entry(
                                        "reaction",
                                        "access",
                                        "configuration",
                                        "entity",
                                        "gate",
                                        "hot",
                                        "limit",
                                        "moderation",
                                        "rules",
                                        "outbox",
                                        "social",
                                        "store",
                                        "trace",
                                        "web"),
                                entry(
                                        "moderation",
                                        "access",
                                        "configuration",
                                        "entity",
                                        "erasure",
                                        "hot",
                                        "outbox",
                                        "store",
                                        "web"),
                                entry(
                                        "crowd",
                                        "access",
                                        "configuration",
                                        "entity",
                                        "limit",
                                        "rules",
                                        "store",
                                        "web"),
                                entry(
                                        "ranking",
                                        "access",
                                        "background",
                                        "configuration",
                                        "entity",
                                        "store",
                                        "web"),
                                entry(
                                        "event",
                                        "access",
                                        "background",
                                        "configuration",
                                        "entity",
                                        "store",
                                        "web"),
                                entry("social", "access", "entity", "limit", "store", "web"),
                                entry(
                                        "pcc",
                                        "access",
                                        "crowd",
                                        "entity",
                                        "limit",
                                        "reaction",
                                        "store",
                                        "web"),
                                entry(
                                        "job",
                                        "access",
                                        "background",
                                        "hot",
                                        "start",
                                        "store",
                                        "web"),
                                entry(
                                        "transfer",
                                        "access",
                                        "background",
                                        "configuration",
                                        "entity",
                                        "hot",
                                        "job",
                                        "limit",
                                        "rules",
                                        "outbox",
                                        "store",
                                        "web"),
                                entry(
                                        "erasure",
                                        "access",
                                        "entity",
                                        "hot",
                                        "job",
                                        "outbox",
                                        "store",
                                        "transfer",
                                        "web"),
                                entry("command", "access", "credential", "entity", "store"),
                                entry(
                                        "webhook", "access", "entity", "event", "hot", "start",
                                        "store", "web"),
                                entry(
                                        "live",
                                        "access",
                                        "credential",
                                        "entity",
                                        "limit",
                                        "outbox",
                                        "reaction",
                                        "web"),
                                entry(
                                        "grpc",
                                        "access",
                                        "crowd",
                                        "entity",
                                        "gate",
                                        "limit",
                                        "live",
                                        "reaction",
                                        "trace",
                                        "web"),
                                entry("openapi", "access", "web"),
                                entry("console", "access", "entity", "web"),
                                entry("embedded")));
    }

    private static Map.Entry<String, Set<String>> entry(String module, String... known) {
        return Map.entry(module, Set.of(known));
    }

    /** Other modules use a module through its own package and these sub-packages. */
    @Test
    void subPackagesAreTheirModulesOwnExceptThese() {
        Set<String> entered =
                dependencies()
                        .map(edge -> edge.to.getPackageName())
                        .filter(name -> name.indexOf('.', ROOT.length() + 1) > 0)
                        .collect(toCollection(TreeSet::new));

        assertThat(entered)
                .containsExactly(
                        "dev.ovation.hot.link",
                        "dev.ovation.hot.run",
                        "dev.ovation.hot.script",
                        "dev.ovation.hot.state",
                        "dev.ovation.reaction.view",
                        "dev.ovation.reaction.write",
                        "dev.ovation.rules.constraint",
                        "dev.ovation.rules.reader",
                        "dev.ovation.store.divided",
                        "dev.ovation.store.log",
                        "dev.ovation.store.postgres",
                        "dev.ovation.store.replica",
                        "dev.ovation.store.shard",
                        "dev.ovation.store.snapshot",
                        "dev.ovation.transfer.staging",
                        "dev.ovation.web.guard",
                        "dev.ovation.web.http",
                        "dev.ovation.web.problem",
                        "dev.ovation.web.request");
    }

    /** A package has at most 15 source files. */
    @Test
    void packagesAreSmall() throws IOException {
        Set<String> tooLarge = new TreeSet<>();
        try (Stream<Path> directories = Files.walk(SOURCES).filter(Files::isDirectory)) {
            for (Path directory : directories.toList()) {
                if (sourceFiles(directory) > MOST_FILES) {
                    tooLarge.add(SOURCES.relativize(directory).toString().replace('/', '.'));
                }
            }
        }

        assertThat(tooLarge).isEmpty();
    }

    /** A simple name of a type, nested or not, has one meaning in all modules. */
    @Test
    void simpleNamesOfTypesBelongToOneModule() {
        Map<String, Set<String>> modules = new TreeMap<>();
        CLASSES.stream()
                .filter(each -> !each.getSimpleName().isEmpty())
                .filter(each -> !each.getSimpleName().equals("package-info"))
                // Generated: their names are those of the proto file.
                .filter(each -> !each.getPackageName().equals(ROOT + ".grpc.v1"))
                .forEach(
                        each ->
                                modules.computeIfAbsent(each.getSimpleName(), _ -> new TreeSet<>())
                                        .add(module(each)));
        modules.values().removeIf(of -> of.size() == 1);

        assertThat(modules).isEmpty();
    }

    private static long sourceFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".java")).count();
        }
    }

    @Test
    void noTwoPackagesKnowEachOther() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    /** The root package holds the entry point and no other class. */
    @Test
    void theRootHoldsTheEntryPointAlone() {
        Set<String> classes =
                CLASSES.stream()
                        .filter(each -> each.getPackageName().equals(ROOT))
                        .map(JavaClass::getSimpleName)
                        .filter(name -> !name.equals("package-info"))
                        .collect(toCollection(TreeSet::new));

        assertThat(classes).containsExactly("Ovation");
    }

    private record Edge(JavaClass from, JavaClass to) {}

    /** Dependencies between different modules. */
    private static Stream<Edge> dependencies() {
        return CLASSES.stream()
                .flatMap(each -> each.getDirectDependenciesFromSelf().stream())
                .map(each -> new Edge(each.getOriginClass(), each.getTargetClass()))
                .filter(edge -> edge.to.getPackageName().startsWith(ROOT + "."))
                .filter(edge -> !module(edge.from).equals(module(edge.to)));
    }

    private static String module(JavaClass type) {
        String name = type.getPackageName();
        return name.length() <= ROOT.length()
                ? ""
                : name.substring(ROOT.length() + 1).split("\\.", 2)[0];
    }
}
