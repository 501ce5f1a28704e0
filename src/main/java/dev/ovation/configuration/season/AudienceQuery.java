package dev.ovation.configuration.season;

import dev.ovation.configuration.TraitsReader;
import dev.ovation.rules.Traits;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.QueryString;

/**
 * A page of the reactions that an audience can add.
 *
 * @param limit greatest number of reactions
 * @param offset number of reactions before the page
 */
record AudienceQuery(Traits traits, int limit, int offset) {

    /** All that can be added by everybody. */
    static final AudienceQuery ALL = new AudienceQuery(Traits.NONE, Integer.MAX_VALUE, 0);

    private static final int MOST = 100;
    private static final String NUMBER = "[0-9]{1,9}";

    /** Reads the parameters; {@link #ALL} when none of them is given. */
    static AudienceQuery of(QueryString query) {
        var violations = new RequestViolations();
        Traits traits = TraitsReader.of(query, violations);
        String limit = query.text("limit");
        String offset = query.text("offset");
        if (limit != null && !isLimit(limit)) {
            violations.add("limit", "must be a number from 1 to " + MOST);
        }
        if (offset != null && !offset.matches(NUMBER)) {
            violations.add("offset", "must be a number from 0 to 999999999");
        }
        violations.throwIfAny();
        if (traits.equals(Traits.NONE) && limit == null && offset == null) {
            return ALL;
        }
        return new AudienceQuery(
                traits,
                limit == null ? MOST : Integer.parseInt(limit),
                offset == null ? 0 : Integer.parseInt(offset));
    }

    private static boolean isLimit(String text) {
        return text.matches(NUMBER)
                && Integer.parseInt(text) >= 1
                && Integer.parseInt(text) <= MOST;
    }
}
