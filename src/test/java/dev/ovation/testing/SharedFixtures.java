package dev.ovation.testing;

import static org.junit.platform.commons.support.AnnotationSupport.findRepeatableAnnotations;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Fixtures that all test classes with an extension share. The first of these classes starts the
 * fixture. It ends with the last of them, because idle services take processor time. The platform
 * passes the end of each class to the listener, which {@code META-INF/services} registers.
 */
public final class SharedFixtures implements TestExecutionListener {

    /** By extension, the classes that have not ended. */
    private static final Map<Class<?>, Set<String>> LEFT = new ConcurrentHashMap<>();

    private static final Map<Class<?>, Fixture> STARTED = new ConcurrentHashMap<>();

    /**
     * Returns the fixture of an extension.
     *
     * @param start starts it for the first class
     */
    public static <T extends AutoCloseable> T of(
            ExtensionContext context,
            Class<? extends Extension> extension,
            Class<T> type,
            Supplier<T> start) {
        return type.cast(fixture(context, extension).started(start));
    }

    private static Fixture fixture(ExtensionContext context, Class<?> extension) {
        Fixture fixture =
                context.getRoot()
                        .getStore(Namespace.create(SharedFixtures.class))
                        .computeIfAbsent(extension, _ -> new Fixture(), Fixture.class);
        STARTED.put(extension, fixture);
        return fixture;
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        plan.accept(
                new TestPlan.Visitor() {
                    @Override
                    public void visit(TestIdentifier test) {
                        extensions(test)
                                .forEach(
                                        extension ->
                                                LEFT.computeIfAbsent(
                                                                extension,
                                                                _ -> ConcurrentHashMap.newKeySet())
                                                        .add(test.getUniqueId()));
                    }
                });
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        ended(test);
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        ended(test);
    }

    private static void ended(TestIdentifier test) {
        extensions(test)
                .forEach(
                        extension -> {
                            Set<String> left = LEFT.getOrDefault(extension, Set.of());
                            if (left.contains(test.getUniqueId())
                                    && left.remove(test.getUniqueId())
                                    && left.isEmpty()
                                    && STARTED.containsKey(extension)) {
                                STARTED.remove(extension).end();
                            }
                        });
    }

    private static Stream<Class<? extends Extension>> extensions(TestIdentifier test) {
        return test.getSource().orElse(null) instanceof ClassSource source
                ? findRepeatableAnnotations(source.getJavaClass(), ExtendWith.class).stream()
                        .flatMap(each -> Arrays.stream(each.value()))
                : Stream.empty();
    }

    /** A fixture, which runs or not. */
    private static final class Fixture implements AutoCloseable {

        private AutoCloseable parts;
        private Exception failure;

        synchronized AutoCloseable started(Supplier<? extends AutoCloseable> start) {
            if (parts == null) {
                parts = start.get();
            }
            return parts;
        }

        /** Keeps an exception for {@link #close}: the platform only logs those of a listener. */
        synchronized void end() {
            try {
                if (parts != null) {
                    parts.close();
                }
            } catch (Exception e) {
                failure = e;
            }
            parts = null;
        }

        /** Called at the end of the run. */
        @Override
        public synchronized void close() {
            end();
            if (failure != null) {
                throw new IllegalStateException(failure);
            }
        }
    }
}
