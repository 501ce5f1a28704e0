package dev.ovation.embedded;

import dev.ovation.embedded.server.BackingService;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches when no setting names a server and the class path can start one. */
abstract class Embeddable extends SpringBootCondition {

    private final BackingService service;

    private Embeddable(BackingService service) {
        this.service = service;
    }

    @Override
    public ConditionOutcome getMatchOutcome(
            ConditionContext context, AnnotatedTypeMetadata metadata) {
        if (service.hasAddress(context.getEnvironment())) {
            return ConditionOutcome.noMatch(
                    ConditionMessage.of("address of " + service + " given"));
        }
        boolean possible = service.isEmbeddable(context.getClassLoader());
        String libraries = "libraries to embed " + service + (possible ? " found" : " not found");
        return new ConditionOutcome(possible, ConditionMessage.of(libraries));
    }

    static final class Postgres extends Embeddable {
        Postgres() {
            super(BackingService.POSTGRES);
        }
    }

    static final class Redis extends Embeddable {
        Redis() {
            super(BackingService.REDIS);
        }
    }
}
