package dev.ovation.pcc;

import dev.ovation.access.Principal;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.QueryString;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Parsed request of the contest.
 *
 * @param user null when none is given, which only counts and lists allow
 * @param cursor unsigned; 0 for the beginning
 * @param pageSize from 1 to 255
 * @param onlyFriends only with a user
 */
record PccRequest(
        Action action,
        BigInteger object,
        @Nullable BigInteger user,
        long cursor,
        int pageSize,
        boolean onlyFriends) {

    private static final int USUAL_PAGE = 20;
    private static final int LARGEST_PAGE = 255;
    private static final BigInteger LARGEST = BigInteger.TWO.pow(Long.SIZE);

    enum Action {
        LIKE,
        IS_LIKE,
        COUNT,
        LIST;

        /** Returns the label of queries. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads a query.
     *
     * @throws ProblemException 400 with all violations; 403 when the caller lacks the right
     */
    static PccRequest of(QueryString query, Principal who) {
        var violations = new RequestViolations();
        Action action = action(query.text("action"), violations);
        BigInteger object = required("oid", query, violations);
        IdFields.namespace("namespace_id", Pcc.NAMESPACE, who, violations);
        BigInteger user =
                user(query, action == Action.LIKE || action == Action.IS_LIKE, who, violations);
        BigInteger cursor = optional("cursor", query, violations);
        BigInteger size = optional("page_size", query, violations);
        boolean onlyFriends = onlyFriends(query.text("is_friend"), violations);
        if (size != null && (size.signum() == 0 || size.bitLength() > Byte.SIZE)) {
            violations.add("page_size", "must be a number from 1 to " + LARGEST_PAGE);
        }
        if (onlyFriends && user == null) {
            violations.add("uid", "is missing: it names the user whose friends are meant");
        }
        violations.throwIfAny();
        return new PccRequest(
                action,
                object,
                user,
                cursor == null ? 0 : cursor.longValue(),
                size == null ? USUAL_PAGE : size.intValue(),
                onlyFriends);
    }

    /** Returns an unsigned number of 64 bits; null for another text. */
    static @Nullable BigInteger number(@Nullable String text) {
        if (text == null || !text.matches("[0-9]{1,20}")) {
            return null;
        }
        var number = new BigInteger(text);
        return number.compareTo(LARGEST) < 0 ? number : null;
    }

    private static Action action(@Nullable String word, RequestViolations violations) {
        for (Action each : Action.values()) {
            if (each.word().equals(word)) {
                return each;
            }
        }
        violations.add(
                "action",
                Arrays.stream(Action.values())
                        .map(Action::word)
                        .collect(Collectors.joining(", ", "must be one of ", "")));
        return Action.COUNT;
    }

    /**
     * Returns the user. A token's user may be absent from the query if it is a number. Numbers are
     * compared, because several texts denote the same number.
     */
    private static @Nullable BigInteger user(
            QueryString query, boolean required, Principal who, RequestViolations violations) {
        BigInteger given = optional("uid", query, violations);
        boolean left = query.nonEmpty("uid") == null;
        BigInteger user = left ? number(who.user()) : given;
        if (user != null) {
            IdFields.actor("uid", user.toString(), who, violations);
        } else if (required && left) {
            violations.add("uid", "is missing");
        }
        return user;
    }

    private static BigInteger required(
            String name, QueryString query, RequestViolations violations) {
        BigInteger number = optional(name, query, violations);
        if (number == null) {
            violations.add(name, "is missing");
            return BigInteger.ZERO;
        }
        return number;
    }

    private static @Nullable BigInteger optional(
            String name, QueryString query, RequestViolations violations) {
        String text = query.nonEmpty(name);
        BigInteger number = number(text);
        if (text != null && number == null) {
            violations.add(name, "must be an unsigned number of 64 bits");
        }
        return number;
    }

    private static boolean onlyFriends(@Nullable String value, RequestViolations violations) {
        if (value != null && !value.equals("0") && !value.equals("1")) {
            violations.add("is_friend", "must be 0 or 1");
        }
        return "1".equals(value);
    }
}
