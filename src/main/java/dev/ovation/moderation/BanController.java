package dev.ovation.moderation;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.erasure.RemovalJobs;
import dev.ovation.moderation.Bans.BanEffect;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Controller;
import org.springframework.transaction.TransactionException;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PutMapping;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** {@code PUT} and {@code DELETE /users/ban}. */
@Controller
final class BanController {

    private static final Map<String, String> OK = Map.of("status", "ok");
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Bans bans;
    private final RemovalJobs removals;
    private final long maxBody;

    BanController(
            Bans bans, RemovalJobs removals, @Value("${ovation.http.max-body}") DataSize maxBody) {
        this.bans = bans;
        this.removals = removals;
        this.maxBody = maxBody.toBytes();
    }

    private record BannedUser(String user, @Nullable String namespace) {}

    @PutMapping("/users/ban")
    @RequiresScope(Scope.MODERATE)
    HttpAnswer ban(HttpServletRequest request) throws IOException {
        var violations = new RequestViolations();
        BannedUser who = who(request, violations);
        JsonBody body = JsonBody.read(request, maxBody);
        Instant until = until(body.text("until", violations), violations);
        BanEffect effect = effect(body.text("reactions", violations), violations);
        violations.throwIfAny();
        bans.ban(who.user, who.namespace, until, effect, () -> cancelJobs(who));
        return stored(() -> affect(who, until, effect));
    }

    /** A ban that is over when it is requested removes and hides nothing. */
    private HttpAnswer affect(BannedUser who, @Nullable Instant until, BanEffect effect) {
        if (effect == BanEffect.KEEP) {
            return show(who);
        }
        if (until != null && !until.isAfter(Instant.now())) {
            return HttpAnswer.json(OK);
        }
        return effect == BanEffect.HIDE
                ? removals.hideReactionsOf(who.user, who.namespace)
                : removals.removeReactionsOf(who.user, who.namespace);
    }

    @DeleteMapping("/users/ban")
    @RequiresScope(Scope.MODERATE)
    HttpAnswer lift(HttpServletRequest request) {
        var violations = new RequestViolations();
        BannedUser who = who(request, violations);
        violations.throwIfAny();
        bans.lift(who.user, who.namespace, () -> cancelJobs(who));
        return stored(() -> show(who));
    }

    /**
     * Cancels the jobs of the ban before. The job that returns hidden reactions goes on, and looks
     * for them anew: more of them may return, and {@link #show} joins it.
     */
    private void cancelJobs(BannedUser who) {
        removals.cancelJobsOf(who.user, who.namespace);
        removals.continueReturnOf(who.user);
    }

    /**
     * Returns hidden reactions. Also the last step of a return may be committed while Redis has the
     * state from before: its job ends after the acknowledgement.
     */
    private HttpAnswer show(BannedUser who) {
        return bans.hides(who.user) || removals.isReturning(who.user)
                ? removals.showReactionsOf(who.user)
                : HttpAnswer.json(OK);
    }

    /**
     * Does what follows a change of a ban. Its failure must not read as a refusal of the change.
     */
    private static HttpAnswer stored(Supplier<HttpAnswer> more) {
        try {
            return more.get();
        } catch (DataAccessException | TransactionException e) {
            throw Problems.outcomeUnknown(
                            "the ban is changed, and the reactions of the user are not; repeat the request",
                            SOON)
                    .because(e);
        }
    }

    private static BannedUser who(HttpServletRequest request, RequestViolations violations) {
        QueryString query = QueryString.of(request, "user_id", "namespace_id");
        Principal caller = Principal.of(request);
        // The scope is for any user.
        String user = IdFields.id("user_id", query.text("user_id"), violations);
        String namespace = query.nonEmpty("namespace_id");
        if (namespace == null) {
            IdFields.everyNamespace(caller, violations);
        } else {
            IdFields.namespace("namespace_id", namespace, caller, violations);
        }
        return new BannedUser(user, namespace);
    }

    private static @Nullable Instant until(@Nullable String text, RequestViolations violations) {
        if (text == null) {
            return null;
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            violations.add("until", "must be a time of RFC 3339");
            return null;
        }
    }

    private static BanEffect effect(@Nullable String text, RequestViolations violations) {
        for (BanEffect effect : BanEffect.values()) {
            if (effect.name().toLowerCase(Locale.ROOT).equals(text)) {
                return effect;
            }
        }
        if (text != null) {
            violations.add("reactions", "must be one of keep, hide, remove");
        }
        return BanEffect.KEEP;
    }
}
