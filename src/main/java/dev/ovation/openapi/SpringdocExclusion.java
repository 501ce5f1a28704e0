package dev.ovation.openapi;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;

/** Keeps springdoc's auto-configurations out of the application's context. */
final class SpringdocExclusion implements AutoConfigurationImportFilter {

    @Override
    public boolean[] match(@Nullable String[] classes, AutoConfigurationMetadata metadata) {
        boolean[] wanted = new boolean[classes.length];
        for (int i = 0; i < classes.length; i++) {
            String name = classes[i];
            wanted[i] = name == null || !name.startsWith("org.springdoc.");
        }
        return wanted;
    }
}
