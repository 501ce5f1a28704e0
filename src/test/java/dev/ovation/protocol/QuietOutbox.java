package dev.ovation.protocol;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Disables the log of the outbox for a class whose schedules cause thousands of conflicts. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(QuietOutbox.Quiet.class)
@interface QuietOutbox {

    /** Disables the log of the outbox while the tests of a class run. */
    final class Quiet implements BeforeAllCallback, AfterAllCallback {
        private final Logger log = (Logger) LoggerFactory.getLogger("dev.ovation.outbox");

        @Override
        public void beforeAll(ExtensionContext context) {
            log.setLevel(Level.OFF);
        }

        @Override
        public void afterAll(ExtensionContext context) {
            log.setLevel(null); // the level before may be that of a class beside
        }
    }
}
