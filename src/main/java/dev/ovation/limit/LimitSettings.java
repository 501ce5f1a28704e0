package dev.ovation.limit;

import dev.ovation.access.Policy;
import dev.ovation.access.Rate;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.EnumMap;
import java.util.Map;

/**
 * Limits of each caller, in each instance of the service.
 *
 * @param userReads of the subject of a token
 * @param userWrites of the subject of a token
 * @param address of all requests without a credential from one address
 * @param erasures of one caller
 * @param imports files of one caller that may arrive at the same time
 * @param exports files of one caller that may leave at the same time
 */
@ConfigurationProperties("ovation.limits")
record LimitSettings(
        @DefaultValue("300/10s") Rate userReads,
        @DefaultValue("30/10s") Rate userWrites,
        @DefaultValue("50/1s") Rate address,
        @DefaultValue("10/1m") Rate erasures,
        @DefaultValue("2") int imports,
        @DefaultValue("2") int exports) {

    LimitSettings {
        if (imports < 1 || exports < 1) {
            throw new IllegalArgumentException(
                    "ovation.limits.imports and ovation.limits.exports must be at least 1");
        }
    }

    /** The rates of callers without rates of their own. */
    Map<Policy, Rate> rates() {
        var rates = new EnumMap<Policy, Rate>(Policy.class);
        rates.put(Policy.USER_READS, userReads);
        rates.put(Policy.USER_WRITES, userWrites);
        rates.put(Policy.ADDRESS, address);
        rates.put(Policy.ERASURES, erasures);
        return rates;
    }
}
