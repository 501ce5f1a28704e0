package dev.ovation.testing;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;
import org.junit.platform.commons.support.AnnotationSupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tests that mostly wait, for servers, processes or a database which only they use: their class
 * runs beside the others. Classes with an extension in common share its servers, and never run at
 * the same time, however many lanes there are. A class that looks at what belongs to the whole JVM,
 * its output or its heap, is {@code @Isolated} instead: no other runs then.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = Beside.Servers.class)
public @interface Beside {

    /** Locks the servers of a class. A lock also keeps its methods on one thread. */
    final class Servers implements ResourceLocksProvider {

        @Override
        public Set<Lock> provideForClass(Class<?> testClass) {
            var extensions =
                    AnnotationSupport.findRepeatableAnnotations(testClass, ExtendWith.class)
                            .stream()
                            .flatMap(each -> Arrays.stream(each.value()));
            return Stream.concat(Stream.of(testClass), extensions)
                    .map(each -> new Lock(each.getName()))
                    .collect(Collectors.toSet());
        }
    }
}
