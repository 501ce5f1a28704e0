package dev.ovation.web.request;

import dev.ovation.web.problem.RequestViolations;

/** Greatest number of items in a page: 1 to 200, default 50. */
public final class PageLimit {

    private static final String FIELD = "limit";
    private static final int DEFAULT = 50;
    private static final int MOST = 200;

    private PageLimit() {}

    /** The parameter {@code limit}; noted as a violation when it is no such number. */
    public static int of(TextFields query, RequestViolations violations) {
        String text = query.text(FIELD);
        if (text == null) {
            return DEFAULT;
        }
        int limit = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
        if (limit < 1 || limit > MOST) {
            violations.add(FIELD, "must be a number from 1 to " + MOST);
            return DEFAULT;
        }
        return limit;
    }

    /** The member {@code limit}; noted as a violation when it is no such number. */
    public static int of(JsonBody body, RequestViolations violations) {
        Integer limit = body.number(FIELD, 1, MOST, violations);
        return limit == null ? DEFAULT : limit;
    }
}
