package dev.ovation.testing;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * Clears the static fields of each test class after its last test. A closed service stays in the
 * heap as long as a field refers to it, and those of 100 classes made collections of the whole heap
 * take seconds.
 */
public final class ReleasedFields implements AfterAllCallback {

    @Override
    public void afterAll(ExtensionContext context) throws IllegalAccessException {
        for (Field field : context.getRequiredTestClass().getDeclaredFields()) {
            int modifiers = field.getModifiers();
            if (Modifier.isStatic(modifiers)
                    && !Modifier.isFinal(modifiers)
                    && AutoCloseable.class.isAssignableFrom(field.getType())) {
                field.setAccessible(true);
                field.set(null, null);
            }
        }
    }
}
