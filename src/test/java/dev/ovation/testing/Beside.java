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
 * Marks a class whose tests mostly wait for servers, processes or a database of their own: the
 * class runs in parallel with others. Classes with a common extension share its servers and never
 * run at the same time, for any number of lanes. A class that examines state of the whole JVM, such
 * as its output or its heap, is {@code @Isolated} instead: no other class runs then.
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
