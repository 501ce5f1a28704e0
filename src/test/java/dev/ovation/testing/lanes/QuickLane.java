package dev.ovation.testing.lanes;

import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * With {@code -Pquick} excludes all tests of classes that need a server; otherwise none. Registered
 * by {@code META-INF/services}.
 */
public final class QuickLane implements PostDiscoveryFilter {

    private static final boolean CHOSEN = "none".equals(System.getProperty("test.servers"));

    private final ServerTests tests = CHOSEN ? new ServerTests() : null;
    private final Map<Class<?>, Boolean> needs = new ConcurrentHashMap<>();

    /** The platform calls this for each node, and excludes nodes without children. */
    @Override
    public FilterResult apply(TestDescriptor test) {
        return FilterResult.includedIf(
                !CHOSEN || !needsServer(test), () -> "", () -> "needs a server");
    }

    /** Judges the outermost class, because a nested one may be inherited from a contract. */
    private boolean needsServer(TestDescriptor test) {
        Class<?> outermost = null;
        for (var node = test; node != null; node = node.getParent().orElse(null)) {
            if (node.getSource().orElse(null) instanceof ClassSource source) {
                outermost = source.getJavaClass();
            }
        }
        return outermost != null && needs.computeIfAbsent(outermost, tests::needsServer);
    }
}
