package dev.ovation.faults.alerts;

import org.junit.jupiter.api.Test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test of a fault that fires these alerts, and whose end clears them. */
@Test
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Fires {
    String[] value();
}
