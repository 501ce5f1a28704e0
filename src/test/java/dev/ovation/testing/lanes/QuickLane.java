package dev.ovation.testing.lanes;

import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * With {@code -Pquick} leaves out all tests of classes that need a server; otherwise none.
 * Registered by {@code META-INF/services}.
 */
public final class QuickLane implements PostDiscoveryFilter {

    private static final boolean CHOSEN = "none".equals(System.getProperty("ovation.servers"));

    private final ServerTests tests = CHOSEN ? new ServerTests() : null;
    private final Map<Class<?>, Boolean> left = new ConcurrentHashMap<>();

    /** Judges methods: the platform leaves out a class when none of its methods remains. */
    @Override
    public FilterResult apply(TestDescriptor test) {
        boolean leaves =
                CHOSEN
                        && test.getSource()
                                .filter(MethodSource.class::isInstance)
                                .map(source -> ((MethodSource) source).getJavaClass())
                                .filter(type -> left.computeIfAbsent(type, tests::needsServer))
                                .isPresent();
        return FilterResult.includedIf(!leaves, () -> "", () -> "needs a server");
    }
}
