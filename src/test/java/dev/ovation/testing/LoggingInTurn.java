package dev.ovation.testing;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.boot.bootstrap.ConfigurableBootstrapContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one application of this JVM at a time configure the logging, at the beginning of its start.
 * The logging belongs to the whole JVM and does not allow two concurrent configurations: with a
 * start in each lane one fails with a ConcurrentModificationException. A close, or a start that
 * failed, does not need the turn. It only requests a new configuration and removes handlers, in
 * thread-safe collections.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class LoggingInTurn implements SpringApplicationRunListener {

    private static final ReentrantLock TURN = new ReentrantLock();

    @Override
    public void starting(ConfigurableBootstrapContext context) {
        TURN.lock();
    }

    @Override
    public void contextPrepared(ConfigurableApplicationContext context) {
        release();
    }

    @Override
    public void failed(@Nullable ConfigurableApplicationContext context, Throwable failure) {
        release();
    }

    private static void release() {
        if (TURN.isHeldByCurrentThread()) {
            TURN.unlock();
        }
    }
}
