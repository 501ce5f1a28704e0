package dev.ovation.reaction;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.gate.Exposure;
import dev.ovation.hot.state.Fences;
import dev.ovation.rules.Namespace;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Ends the log of a start with a command that works, unless the service accepts no caller. */
@Component
final class StartMessage {

    private static final Logger LOG = LoggerFactory.getLogger(StartMessage.class);

    /** Time between two checks that the service runs. */
    private static final Duration CHECK = Duration.ofSeconds(10);

    private final CurrentRules rules;
    private final Fences fences;
    private final Exposure exposure;

    StartMessage(CurrentRules rules, Fences fences, Exposure exposure) {
        this.rules = rules;
        this.fences = fences;
        this.exposure = exposure;
    }

    @EventListener
    void ready(ApplicationReadyEvent event) {
        if (exposure != Exposure.CLOSED
                && event.getApplicationContext() instanceof WebServerApplicationContext context
                && context.getWebServer() != null) {
            int port = context.getWebServer().getPort();
            BooleanSupplier isRunning = event.getApplicationContext()::isActive;
            Thread.ofVirtual().name("welcome").start(() -> say(port, isRunning));
        }
    }

    /** Writes the message once writes are possible, usually some milliseconds after reads are. */
    private void say(int port, BooleanSupplier isRunning) {
        for (int p = 0; p < fences.partitions().count(); p++) {
            while (fences.await(p, CHECK) == null) {
                if (Thread.currentThread().isInterrupted() || !isRunning.getAsBoolean()) {
                    return;
                }
            }
        }
        for (Namespace namespace : rules.current().configuration().namespaces()) {
            var own = rules.current().namespace(namespace.id());
            if (own != null && own.maxUniqReactions() > 0 && !own.reactions().isEmpty()) {
                String reaction = own.reactions().getFirst().id();
                boolean guarded = exposure == Exposure.GUARDED;
                LOG.info(
                        "Ready. Try{}:\n\n  {}\n",
                        guarded ? ", with a key of the scope reactions:write" : "",
                        command(guarded, port, namespace.id(), reaction));
                return;
            }
        }
    }

    private static String command(boolean guarded, int port, String namespace, String reaction) {
        String header = guarded ? "-H 'Authorization: Bearer ovk_…' " : "";
        return """
        curl %s-d '{"namespace_id":"%s","entity_id":"1","user_id":"ann","reaction_id":"%s"}' localhost:%d/reactions\
        """
                .formatted(header, namespace, reaction, port);
    }
}
