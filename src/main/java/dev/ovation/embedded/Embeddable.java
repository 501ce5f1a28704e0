package dev.ovation.embedded;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches when nobody says where a server is and the class path can start one. */
abstract class Embeddable extends SpringBootCondition {

    private final Need need;

    private Embeddable(Need need) {
        this.need = need;
    }

    @Override
    public ConditionOutcome getMatchOutcome(
            ConditionContext context, AnnotatedTypeMetadata metadata) {
        if (need.hasAddress(context.getEnvironment())) {
            return ConditionOutcome.noMatch(ConditionMessage.of("address of " + need + " given"));
        }
        boolean possible = need.isEmbeddable(context.getClassLoader());
        String libraries = "libraries to embed " + need + (possible ? " found" : " not found");
        return new ConditionOutcome(possible, ConditionMessage.of(libraries));
    }

    static final class Postgres extends Embeddable {
        Postgres() {
            super(Need.POSTGRES);
        }
    }

    static final class Redis extends Embeddable {
        Redis() {
            super(Need.REDIS);
        }
    }
}
