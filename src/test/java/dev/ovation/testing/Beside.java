package dev.ovation.testing;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Tests that mostly wait, for servers, processes or a database which only they use: their class
 * runs beside the others, one such class at a time. Who looks at what belongs to the whole JVM, its
 * output or its heap, is not one of them, but {@code @Isolated}: neither runs then.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("beside")
public @interface Beside {}
