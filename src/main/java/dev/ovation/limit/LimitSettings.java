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
 * @param userReads Units of reads for the subject of a token.
 * @param userWrites Units of writes for the subject of a token.
 * @param address Units of all requests without a credential from one address.
 * @param erasures Units of erasures for one caller.
 */
@ConfigurationProperties("ovation.limits")
record LimitSettings(
        @DefaultValue("300/10s") Rate userReads,
        @DefaultValue("30/10s") Rate userWrites,
        @DefaultValue("50/1s") Rate address,
        @DefaultValue("10/1m") Rate erasures) {

    /**
     * Constants, bound for tests.
     *
     * @param imports Files of one caller that may arrive at the same time.
     * @param exports Files of one caller that may leave at the same time.
     */
    @ConfigurationProperties("ovation.internal.limits")
    record LimitConstants(@DefaultValue("2") int imports, @DefaultValue("2") int exports) {}

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
