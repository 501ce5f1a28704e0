package dev.ovation.broken;

import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * A test class, or one method of it or of the classes nested in it.
 *
 * @param type name of the class
 * @param method name of the method; empty for all
 */
record TestName(String type, String method) {

    private static final String ROOT = "dev.ovation.";

    /**
     * Parses {@code outbox.batch.OutboxSliceTest} or {@code
     * outbox.batch.OutboxSliceTest#aGapIsAnotherPast}.
     */
    static TestName of(String text) {
        String[] parts = text.split("#", 2);
        return new TestName(ROOT + parts[0], parts.length == 1 ? "" : parts[1]);
    }

    /**
     * The selector of the platform.
     *
     * @throws IllegalStateException if the test does not exist
     */
    DiscoverySelector selector() {
        try {
            var found = Class.forName(type, false, TestName.class.getClassLoader());
            if (method.isEmpty()) {
                return DiscoverySelectors.selectClass(found);
            }
            return withNested(found)
                    .flatMap(one -> Arrays.stream(one.getDeclaredMethods()))
                    .filter(one -> one.getName().equals(method))
                    .map(TestName::selector)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("there is no test " + this));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("there is no test " + this, e);
        }
    }

    private static DiscoverySelector selector(Method method) {
        return DiscoverySelectors.selectMethod(method.getDeclaringClass(), method);
    }

    private static Stream<Class<?>> withNested(Class<?> type) {
        return Stream.concat(
                Stream.of(type),
                Arrays.stream(type.getDeclaredClasses()).flatMap(TestName::withNested));
    }

    /** Returns the name without its package. */
    String shortName() {
        return toString().replaceFirst("^[^#]*\\.", "");
    }

    @Override
    public String toString() {
        return type.substring(ROOT.length()) + (method.isEmpty() ? "" : "#" + method);
    }
}
