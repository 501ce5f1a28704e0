package dev.ovation;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Map.entry;
import static java.util.stream.Collectors.toCollection;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModule;
import org.springframework.modulith.core.ApplicationModules;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Which package knows which. A module is a package below {@code dev.ovation}, with all in it. */
class ModularityTest {

    private static final String ROOT = "dev.ovation";
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages(ROOT);

    @Test
    void modulesKnowTheseAndNoOthers() {
        Map<String, Set<String>> edges = new TreeMap<>();
        for (ApplicationModule module : ApplicationModules.of(Ovation.class)) {
            edges.put(module.getIdentifier().toString(), new TreeSet<>());
        }
        edges.put("", new TreeSet<>());
        dependencies().forEach(edge -> edges.get(module(edge.from)).add(module(edge.to)));

        assertThat(edges)
                .isEqualTo(
                        Map.ofEntries(
                                entry("", Set.of("command")),
                                entry("entity", Set.of()),
                                entry("web", Set.of("entity")),
                                entry("namespace", Set.of("entity")),
                                entry("store", Set.of("entity")),
                                entry("hot", Set.of("entity", "store")),
                                entry("outbox", Set.of("entity", "hot", "store")),
                                entry("configuration", Set.of("hot", "namespace", "store", "web")),
                                entry("job", Set.of("hot", "store", "web")),
                                entry(
                                        "audit",
                                        Set.of(
                                                "configuration",
                                                "entity",
                                                "hot",
                                                "outbox",
                                                "store",
                                                "web")),
                                entry(
                                        "reaction",
                                        Set.of(
                                                "configuration",
                                                "entity",
                                                "hot",
                                                "namespace",
                                                "outbox",
                                                "store",
                                                "web")),
                                entry(
                                        "transfer",
                                        Set.of(
                                                "configuration",
                                                "entity",
                                                "hot",
                                                "job",
                                                "namespace",
                                                "outbox",
                                                "web")),
                                entry("command", Set.of()),
                                entry("embedded", Set.of())));
    }

    /** The doors of a module are its own package and the scripts of {@code hot}. */
    @Test
    void subPackagesAreTheirModulesOwnExceptTheScripts() {
        Set<String> entered =
                dependencies()
                        .map(edge -> edge.to.getPackageName())
                        .filter(name -> name.indexOf('.', ROOT.length() + 1) > 0)
                        .collect(toCollection(TreeSet::new));

        assertThat(entered).containsExactly("dev.ovation.hot.script");
    }

    /** Nothing but the entry point stands beside the modules. */
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

    /** From one module to another. */
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
