package dev.ovation.social;

import dev.ovation.access.Principal;
import dev.ovation.access.RequiresScope;
import dev.ovation.access.Scope;
import dev.ovation.entity.AvatarUrl;
import dev.ovation.entity.Ids;
import dev.ovation.limit.Charge;
import dev.ovation.social.Users.User;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.web.http.HttpAnswer;
import dev.ovation.web.problem.Problems;
import dev.ovation.web.problem.RequestViolations;
import dev.ovation.web.request.IdFields;
import dev.ovation.web.request.JsonBody;
import dev.ovation.web.request.PageCursor;
import dev.ovation.web.request.PageLimit;
import dev.ovation.web.request.QueryString;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Controller;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code /users}, {@code /users/query} and {@code /users/friends}. */
@Controller
final class SocialController {

    private static final Map<String, String> OK = Map.of("status", "ok");
    private static final int MOST_USERS = 200;

    private final PostgresBulkhead gate;
    private final Users users;
    private final ApplicationEventPublisher events;
    private final long maxBody;

    SocialController(
            PostgresBulkhead gate,
            Users users,
            ApplicationEventPublisher events,
            @Value("${ovation.http.max-body}") DataSize maxBody) {
        this.gate = gate;
        this.users = users;
        this.events = events;
        this.maxBody = maxBody.toBytes();
    }

    private record UsersJson(List<User> users) {}

    private record FriendsJson(List<User> friends, @Nullable String nextCursor) {}

    private record Pair(String user, String friend) {
        SocialChange change() {
            return new SocialChange(user, friend);
        }
    }

    @GetMapping("/users")
    @RequiresScope(Scope.USERS_READ)
    HttpAnswer user(HttpServletRequest request) {
        var violations = new RequestViolations();
        String user = user(QueryString.of(request, "user_id"), request, violations);
        violations.throwIfAny();
        Charge.user(request, user);
        Optional<User> found = gate.ask(() -> users.findById(user));
        return HttpAnswer.json(found.orElseGet(() -> User.withoutProfile(user)));
    }

    @PostMapping("/users/query")
    @RequiresScope(Scope.USERS_READ)
    HttpAnswer users(HttpServletRequest request) throws IOException {
        Problems.onlyReads(request);
        QueryString.none(request);
        var violations = new RequestViolations();
        IdFields.everyNamespace(Principal.of(request), violations);
        List<String> ids = ids(JsonBody.read(request, maxBody).member("user_ids"), violations);
        violations.throwIfAny();
        Charge.entities(request, "user_ids", ids.size(), null);
        Set<String> wanted = Set.copyOf(ids);
        Map<String, User> found = new HashMap<>();
        if (!wanted.isEmpty()) {
            gate.ask(() -> users.find(wanted)).forEach(user -> found.put(user.userId(), user));
        }
        return HttpAnswer.json(
                new UsersJson(
                        ids.stream()
                                .map(id -> found.getOrDefault(id, User.withoutProfile(id)))
                                .toList()));
    }

    private static List<String> ids(@Nullable JsonNode list, RequestViolations violations) {
        if (list == null || !list.isArray()) {
            violations.add("user_ids", list == null ? "is missing" : "must be a list");
            return List.of();
        }
        if (list.size() > MOST_USERS) {
            violations.add("user_ids", "must not be more than " + MOST_USERS);
            return List.of();
        }
        var ids = new ArrayList<String>(list.size());
        for (JsonNode each : list) {
            String field = "user_ids[" + ids.size() + "]";
            if (!each.isString()) {
                violations.add(field, "must be a string");
            }
            ids.add(each.isString() ? IdFields.id(field, each.stringValue(), violations) : "");
        }
        return ids;
    }

    @PutMapping("/users")
    @RequiresScope(Scope.USERS_WRITE)
    HttpAnswer profile(HttpServletRequest request) throws IOException {
        var violations = new RequestViolations();
        String user = user(QueryString.of(request, "user_id"), request, violations);
        JsonBody body = JsonBody.read(request, maxBody);
        String name = body.text("display_name", violations);
        String avatar = body.text("avatar_url", violations);
        String violation = name == null ? null : Ids.problem(name);
        if (violation != null) {
            violations.add("display_name", violation);
        }
        if (avatar != null && !AvatarUrl.isValid(avatar)) {
            violations.add("avatar_url", AvatarUrl.VIOLATION);
        }
        violations.throwIfAny();
        Charge.user(request, user);
        return changed(
                new SocialChange(user),
                name == null && avatar == null
                        ? () -> users.removeProfile(user)
                        : () -> users.setProfile(user, name, avatar));
    }

    @GetMapping("/users/friends")
    @RequiresScope(Scope.USERS_READ)
    HttpAnswer friends(HttpServletRequest request) {
        QueryString query = QueryString.of(request, "user_id", "limit", "cursor");
        var violations = new RequestViolations();
        String user = user(query, request, violations);
        int limit = PageLimit.of(query, violations);
        violations.throwIfAny();
        Charge.user(request, user);
        var cursor = PageCursor.of("friends", user);
        String from = cursor.read(query.text("cursor"), List::getFirst);
        List<User> found = gate.ask(() -> users.friends(user, from == null ? "" : from, limit + 1));
        boolean more = found.size() > limit;
        List<User> page = more ? found.subList(0, limit) : found;
        return HttpAnswer.json(
                new FriendsJson(page, more ? cursor.at(page.getLast().userId()) : null));
    }

    @PutMapping("/users/friends")
    @RequiresScope(Scope.USERS_WRITE)
    HttpAnswer befriend(HttpServletRequest request) {
        Pair pair = pair(request, false);
        // A friendship is the other user's as well, and a token speaks for its own user alone.
        IdFields.actor(pair.friend, Principal.of(request));
        return changed(pair.change(), () -> users.befriend(pair.user, pair.friend));
    }

    @DeleteMapping("/users/friends")
    @RequiresScope(Scope.USERS_WRITE)
    HttpAnswer unfriend(HttpServletRequest request) {
        Pair pair = pair(request, true);
        return changed(pair.change(), () -> users.unfriend(pair.user, pair.friend));
    }

    private HttpAnswer changed(SocialChange change, Runnable statement) {
        try {
            gate.ask(
                    () -> {
                        statement.run();
                        return OK;
                    });
        } finally { // a statement without an answer may have been committed
            events.publishEvent(change);
        }
        return HttpAnswer.json(OK);
    }

    private static Pair pair(HttpServletRequest request, boolean mayBeTheSame) {
        QueryString query = QueryString.of(request, "user_id", "friend_id");
        var violations = new RequestViolations();
        String user = user(query, request, violations);
        String friend = IdFields.id("friend_id", query.text("friend_id"), violations);
        if (!mayBeTheSame && !user.isEmpty() && user.equals(friend)) {
            violations.add("friend_id", "must differ from user_id");
        }
        violations.throwIfAny();
        Charge.user(request, user);
        return new Pair(user, friend);
    }

    /** Users are those of all namespaces. */
    private static String user(
            QueryString query, HttpServletRequest request, RequestViolations violations) {
        Principal who = Principal.of(request);
        IdFields.everyNamespace(who, violations);
        String user = query.text("user_id");
        return IdFields.actor("user_id", user, who, violations);
    }
}
