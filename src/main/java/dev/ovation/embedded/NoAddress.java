package dev.ovation.embedded;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches while Spring's standard settings do not say where a server is, so we bring our own. */
abstract class NoAddress extends SpringBootCondition {

    private final Need need;

    private NoAddress(Need need) {
        this.need = need;
    }

    @Override
    public ConditionOutcome getMatchOutcome(
            ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean given = need.hasAddress(context.getEnvironment());
        String reason = "address of " + need + (given ? " is given" : " is not given");
        return new ConditionOutcome(!given, ConditionMessage.of(reason));
    }

    static final class OfPostgres extends NoAddress {
        OfPostgres() {
            super(Need.POSTGRES);
        }
    }

    static final class OfRedis extends NoAddress {
        OfRedis() {
            super(Need.REDIS);
        }
    }
}
