package dev.ovation.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;

import dev.ovation.access.Policy;
import dev.ovation.access.Principal;
import dev.ovation.access.Rate;
import dev.ovation.access.Scope;
import dev.ovation.web.guard.RateLimiter;
import dev.ovation.web.problem.ProblemException;

import io.github.bucket4j.TimeMeter;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Charges requests to the quotas of their callers, which this instance of the service keeps for
 * itself. An unused quota is evicted after its window, or earlier beyond {@value #MOST} quotas.
 */
public final class RateLimits implements RateLimiter {

    private static final int MOST = 200_000;
    private static final int RECENT = 1 << 10;

    /** The owner of attempts. */
    private static final Principal STRANGER = Principal.anonymous(Set.of(), "");

    private final Map<Policy, Rate> rates;
    private final Refusals refusals;
    private final TimeMeter time;

    /**
     * A quota that was not used for its window is full, so nothing is lost with it. The cache
     * maintains itself in the thread of the request: a separate thread would cost more.
     */
    private final Cache<Quota.QuotaKey, Quota> quotas;

    /**
     * Quotas that callers used last, because a look-up in the cache costs more than the rest of a
     * charge. An entry is valid for half the window of its quota.
     */
    private final AtomicReferenceArray<@Nullable RecentQuota> recent =
            new AtomicReferenceArray<>(RECENT);

    private record RecentQuota(Principal who, RequestKind kind, Quota quota, long until) {

        @SuppressWarnings("ReferenceEquality") // each credential has a principal of its own
        boolean isOf(Principal caller, RequestKind request, long now) {
            return who == caller && kind == request && now - until < 0;
        }
    }

    /** The policies of a kind of request, by the kind of its caller. */
    private enum RequestKind {
        READ(Policy.KEY_READS, Policy.USER_READS),
        WRITE(Policy.KEY_WRITES, Policy.USER_WRITES),
        ERASURE(Policy.ERASURES, Policy.ERASURES);

        private final Policy ofKey;
        private final Policy ofUser;

        RequestKind(Policy ofKey, Policy ofUser) {
            this.ofKey = ofKey;
            this.ofUser = ofUser;
        }

        /** Null for requests that have no limit. */
        static @Nullable RequestKind of(Scope scope) {
            return switch (scope) {
                case REACTIONS_READ, CROWDS_READ, USERS_READ -> READ;
                case REACTIONS_WRITE, USERS_WRITE -> WRITE;
                case ERASE -> ERASURE;
                case PUBLIC,
                        EVENTS_READ,
                        MODERATE,
                        TRANSFER,
                        WEBHOOKS,
                        CONFIGURE,
                        OPERATE,
                        METRICS ->
                        null;
            };
        }
    }

    /**
     * Creates full quotas.
     *
     * @param rates of callers without rates of their own
     */
    RateLimits(Map<Policy, Rate> rates, Refusals refusals, TimeMeter time) {
        this.rates = new EnumMap<>(rates);
        this.refusals = refusals;
        this.time = time;
        this.quotas =
                Caffeine.newBuilder()
                        .maximumSize(MOST)
                        .executor(Runnable::run)
                        .ticker(time::currentTimeNanos)
                        .expireAfter(
                                Expiry.<Quota.QuotaKey, Quota>accessing(
                                        (key, _) -> unused(key.rate().window())))
                        .build();
    }

    @Override
    public void charge(HttpServletRequest request, HttpServletResponse response, Scope scope) {
        Charge charge =
                charge(Principal.of(request), request.getRemoteAddr(), scope, response::setHeader);
        if (charge != null) {
            charge.enter(request);
        }
    }

    /**
     * Counts a call as {@link #charge(HttpServletRequest, HttpServletResponse, Scope)} does.
     *
     * @param address literal address of the caller
     * @param headers takes the RateLimit headers; a null value removes one
     * @return takes the rest of the costs; null when there is no limit
     * @throws ProblemException 429 {@code rate-limited} when the caller is at a limit
     */
    public @Nullable Charge charge(
            Principal who, String address, Scope scope, Charge.LimitHeaders headers) {
        if (who.isOpen() || scope == Scope.PUBLIC) {
            return null;
        }
        RequestKind kind = RequestKind.of(scope);
        if (kind == null) {
            if (!who.isAnonymous()) {
                return null;
            }
            kind = RequestKind.READ; // its answer is 401, mostly
        }
        Quota own = own(who, kind, address);
        Rate ofUsers = kind == RequestKind.ERASURE ? null : who.limit(kind.ofUser);
        if (own == null && ofUsers == null) {
            return null;
        }
        var charge = new Charge(this, who, own, ofUsers == null ? null : kind.ofUser, headers);
        charge.begin();
        return charge;
    }

    @Override
    public void attempt(String address) {
        Quota quota = ofAttempts(address);
        if (quota != null && quota.takeOne() == null) {
            throw refuse(quota, 1, STRANGER)
                    .header("RateLimit-Policy", quota.policy())
                    .header("RateLimit", quota.limit());
        }
    }

    /**
     * Returns how long the cache keeps a quota that is not looked up: its window, in which it
     * fills, and the time for which it may be used without a look-up.
     */
    private static Duration unused(Duration window) {
        return window.multipliedBy(3).dividedBy(2);
    }

    @Override
    public void takeBack(String address) {
        Quota quota = ofAttempts(address);
        if (quota != null) {
            quota.giveBack(1);
        }
    }

    private @Nullable Quota ofAddress(Principal who, String what, String address) {
        return quota(Policy.ADDRESS, who, what + Addresses.holder(address));
    }

    /** Apart from requests without a credential, which others behind the same address may send. */
    private @Nullable Quota ofAttempts(String address) {
        return ofAddress(STRANGER, "credentials of ", address);
    }

    private @Nullable Quota own(Principal who, RequestKind kind, String address) {
        if (who.isAnonymous()) {
            return ofAddress(who, "", address);
        }
        int place = (System.identityHashCode(who) + kind.hashCode()) & RECENT - 1;
        long now = time.currentTimeNanos();
        RecentQuota last = recent.get(place);
        if (last != null && last.isOf(who, kind, now)) {
            return last.quota;
        }
        String user = who.user();
        Quota quota = user == null ? quota(kind.ofKey, who, "") : quota(kind.ofUser, who, user);
        if (quota != null) {
            recent.set(place, new RecentQuota(who, kind, quota, now + quota.halfWindowNanos()));
        }
        return quota;
    }

    /** The quota of a user or an address, or of the caller itself; null when it has no limit. */
    @Nullable Quota quota(Policy policy, Principal who, String id) {
        Rate own = who.limit(policy);
        Rate rate = own == null ? rates.getOrDefault(policy, Rate.NONE) : own;
        return rate.isLimited()
                ? quotas.get(
                        new Quota.QuotaKey(policy, rate, who.getName(), id),
                        key -> new Quota(key, time))
                : null;
    }

    /** Refusal of a request that costs these units of a quota. */
    ProblemException refuse(Quota quota, long units, Principal who) {
        return refuseFor(quota, quota.secondsUntil(units), who);
    }

    /** Refusal with a Retry-After of these seconds. */
    ProblemException refuseFor(Quota quota, long seconds, Principal who) {
        Duration wait = Duration.ofSeconds(Math.max(1, seconds));
        return refusals.refuse(quota.name(), quota.words(), who, wait);
    }
}
