package dev.ovation.limit;

import dev.ovation.access.Policy;
import dev.ovation.access.Principal;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The costs of one request: one unit of its caller's quota when its handler is known, and the rest
 * when its body is read. A request that is refused for its costs has none. The answer has the
 * headers RateLimit-Policy and RateLimit, the latter for the quota with the fewest units left,
 * unless {@link #removeHeaders} removes them.
 */
public final class Charge {

    private static final String ATTRIBUTE = Charge.class.getName();
    private static final int ENTITIES_OF_A_UNIT = 10;
    private static final int PAIRS_OF_A_UNIT = 500;

    private final RateLimits limits;
    private final Principal who;
    private final @Nullable Quota own;
    private final @Nullable Policy ofUsers;
    private final LimitHeaders headers;

    /** Takes the headers of an answer. */
    @FunctionalInterface
    public interface LimitHeaders {

        /** Sets a header; null removes it. */
        void set(String name, @Nullable String value);
    }

    /**
     * A part of the costs.
     *
     * @param units to take
     * @param all units that the request costs of this quota, these and those taken before
     */
    private record ChargePart(Quota quota, long units, long all) {}

    /**
     * The costs of a request, before any is taken.
     *
     * @param own the caller's quota, null for no limit
     * @param ofUsers the policy of each user whom the caller names, null for no limit
     */
    Charge(
            RateLimits limits,
            Principal who,
            @Nullable Quota own,
            @Nullable Policy ofUsers,
            LimitHeaders headers) {
        this.limits = limits;
        this.who = who;
        this.own = own;
        this.ofUsers = ofUsers;
        this.headers = headers;
    }

    /** Takes the first unit. */
    void begin() {
        if (own != null) {
            String limit = own.takeOne();
            if (limit == null) {
                setHeaders(own.policy(), own.limit());
                throw limits.refuse(own, 1, who);
            }
            setHeaders(own.policy(), limit);
        }
    }

    /** Stores this as the costs of a request. */
    void enter(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** Returns the costs of a request; null when it has no limit. */
    static @Nullable Charge of(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Charge charge ? charge : null;
    }

    /**
     * Charges the user as whom a request acts or whose view it asks for. To be called once the
     * request is known to be well-formed and allowed.
     *
     * @param user null for no user
     * @throws ProblemException 429 when the user is at a limit of the caller's
     */
    public static void user(HttpServletRequest request, @Nullable String user) {
        entities(request, "", 1, user);
    }

    /**
     * Charges a request about many entities a unit for each ten.
     *
     * @param field that lists them
     * @param viewer null for the view without a user
     * @throws ProblemException 429 when a limit is reached; 400 when no wait could help
     */
    public static void entities(
            HttpServletRequest request, String field, int entities, @Nullable String viewer) {
        Caller.of(request).entities(field, entities, viewer);
    }

    /** Charges as {@link #entities(HttpServletRequest, String, int, String)} does. */
    void entities(String field, int entities, @Nullable String viewer) {
        long units = Math.ceilDiv(entities, ENTITIES_OF_A_UNIT);
        add(field, units, viewer == null ? Map.of() : Map.of(viewer, units));
    }

    /**
     * Charges a question for users of many entities a unit for each ten entities, or one for each
     * 500 pairs of an entity and a user, whichever is more.
     *
     * @throws ProblemException 429 when a limit is reached; 400 when no wait could help
     */
    public static void pairs(HttpServletRequest request, String field, int entities, int users) {
        Caller.of(request).pairs(field, entities, users);
    }

    /** Charges as {@link #pairs(HttpServletRequest, String, int, int)} does. */
    void pairs(String field, int entities, int users) {
        long units =
                Math.max(
                        Math.ceilDiv(entities, ENTITIES_OF_A_UNIT),
                        Math.ceilDiv(entities * users, PAIRS_OF_A_UNIT));
        add(field, units, Map.of());
    }

    /**
     * Charges a request of many operations a unit for each.
     *
     * @param field that lists them
     * @param operations how many they are
     * @param allowed those that the caller may do
     * @param user as whom the caller does one of these
     * @throws ProblemException 429 when a limit is reached; 400 when no wait could help
     */
    public static <T> void operations(
            HttpServletRequest request,
            String field,
            int operations,
            Collection<T> allowed,
            Function<T, String> user) {
        Caller.of(request).operations(field, operations, allowed, user);
    }

    /**
     * Charges as {@link #operations(HttpServletRequest, String, int, Collection, Function)} does.
     */
    <T> void operations(
            String field, int operations, Collection<T> allowed, Function<T, String> user) {
        var byUser = new LinkedHashMap<String, Long>();
        allowed.forEach(each -> byUser.merge(user.apply(each), 1L, Long::sum));
        add(field, operations, byUser);
    }

    /**
     * Removes the RateLimit headers of a request's answer. To be called for an answer that a shared
     * cache may store, because the headers are those of one caller.
     */
    public static void removeHeaders(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof Charge charge) {
            charge.headers.set("RateLimit-Policy", null);
            charge.headers.set("RateLimit", null);
        }
    }

    private void add(String field, long units, Map<String, Long> byUser) {
        if (units <= 1 && ofUsers == null) {
            return; // the first unit is all
        }
        var parts = new ArrayList<ChargePart>();
        if (own != null && units > 1) {
            parts.add(new ChargePart(own, units - 1, units));
        }
        if (ofUsers != null) {
            byUser.forEach(
                    (user, each) -> {
                        Quota quota = limits.quota(ofUsers, who, user);
                        if (quota != null && each > 0) {
                            parts.add(new ChargePart(quota, each, each));
                        }
                    });
        }
        if (!parts.isEmpty()) {
            check(field, parts);
            take(parts);
        }
    }

    /** No wait makes a quota larger. */
    private static void check(String field, List<ChargePart> parts) {
        for (ChargePart part : parts) {
            if (part.all > part.quota.size()) {
                throw Problems.malformed(
                        field,
                        "cost %d units, but policy `%s` allows %s"
                                .formatted(part.all, part.quota.name(), part.quota.words()));
            }
        }
    }

    /** Takes all parts; or gives back what was taken, the first unit too, and refuses. */
    private void take(List<ChargePart> parts) {
        var quotas =
                Stream.concat(Stream.ofNullable(own), parts.stream().map(ChargePart::quota))
                        .toList();
        String policies =
                quotas.stream().map(Quota::policy).distinct().collect(Collectors.joining(", "));
        for (int i = 0; i < parts.size(); i++) {
            ChargePart part = parts.get(i);
            if (!part.quota.take(part.units)) {
                parts.subList(0, i).forEach(taken -> taken.quota.giveBack(taken.units));
                if (own != null) {
                    own.giveBack(1);
                }
                long seconds =
                        parts.stream()
                                .mapToLong(each -> each.quota.secondsUntil(each.all))
                                .max()
                                .orElse(0);
                setHeaders(policies, part.quota.limit());
                throw limits.refuseFor(part.quota, seconds, who);
            }
        }
        setHeaders(
                policies,
                Collections.min(quotas, Comparator.comparingLong(Quota::remaining)).limit());
    }

    private void setHeaders(String policies, String limit) {
        headers.set("RateLimit-Policy", policies);
        headers.set("RateLimit", limit);
    }
}
