package dev.ovation.embedded.server;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;

/**
 * A server process of this service, from its start to its end.
 *
 * <p>It has a session of its own, so a Ctrl-C in the terminal does not reach it. Spring stops it by
 * {@link #close} after the beans that use it. If the JVM ends without that (a start that hangs), a
 * shutdown handler stops it; these handlers run after the contexts have closed.
 */
public abstract class EmbeddedServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServer.class);
    private static final Duration STOP_BOUND = Duration.ofSeconds(20);

    private final Runnable atExit = this::close;
    private final BackingService service;
    private final Path executables;
    private boolean closed;

    EmbeddedServer(BackingService service, Path executables) {
        this.service = service;
        this.executables = executables;
    }

    /** Returns the file to which the server writes its pid. */
    abstract Path pidFile();

    /** Starts the process and returns when it accepts connections on {@link #port}. */
    abstract void launch() throws IOException;

    /** Signals the process to end at once, without a wait for open connections. */
    abstract void end(Pid process) throws IOException;

    public abstract int port();

    /**
     * Stops a server that a killed run left behind, then starts the server.
     *
     * @throws EmbeddedException when the server does not start; no process is left then
     */
    public synchronized void start() {
        SpringApplication.getShutdownHandlers().add(atExit);
        try {
            Optional<Pid> leftover = stopNoted();
            leftover.ifPresent(
                    it -> LOG.info("Stopped the {} (pid {}) of a killed run", service, it.value()));
            launch();
        } catch (IOException e) {
            close();
            throw new EmbeddedException(
                    "The embedded %s did not start (%s): mend that, or set %s."
                            .formatted(service, e.getMessage(), service.howToSet()),
                    e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Stops the server, if it runs, and returns when it is gone. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            stopNoted().ifPresent(it -> LOG.info("Stopped the embedded {}", service));
        } catch (IOException e) {
            LOG.warn("The embedded {} may still run: {}", service, e.toString());
        }
        forgetHandler();
    }

    private Optional<Pid> stopNoted() throws IOException {
        Optional<Pid> noted = Pid.ours(pidFile(), executables);
        if (noted.isPresent()) {
            end(noted.get());
            noted.get().awaitEnd(STOP_BOUND);
        }
        return noted;
    }

    /** Renames the old log, which a later start replaces. */
    static void keepPrevious(Path log) throws IOException {
        if (Files.exists(log)) {
            Path previous = log.resolveSibling(log.getFileName() + ".previous");
            Files.move(log, previous, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private void forgetHandler() {
        try {
            SpringApplication.getShutdownHandlers().remove(atExit);
        } catch (IllegalStateException e) {
            LOG.trace("The JVM is ending and keeps its handlers", e);
        }
    }
}
