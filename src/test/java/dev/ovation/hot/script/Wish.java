package dev.ovation.hot.script;

import dev.ovation.entity.ChangeKind;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.Fence;
import dev.ovation.hot.state.Proposal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A builder of a proposal, which by default every rule allows. */
final class Wish {

    private final HotFixture hot;
    private String op;
    private EntityKey key = HotFixture.POST;
    private final String user;
    private final ChangeKind kind;
    private final List<String> reactions;
    private long now = 5000;
    private long config = HotFixture.CONFIG;
    private final List<List<String>> groups = new ArrayList<>();
    private int limit = 6;
    private List<String> live =
            List.of(HotFixture.LIKE, HotFixture.DISLIKE, HotFixture.HEART, "1", "2", "3");
    private boolean open;
    private int limitOfUser = Proposal.RuleData.UNLIMITED;
    private final Map<String, Long> seasonEnds = new HashMap<>();
    private String constraints = "";
    private boolean timesOfUsers;
    private String attributes = "";
    private boolean force;
    private boolean existingIsFine;
    private Proposal.Idempotency idempotency;
    private Proposal.Basis basis = Proposal.Basis.ANY;
    private boolean withState;

    Wish(HotFixture hot, String op, String user, ChangeKind kind, List<String> reactions) {
        this.hot = hot;
        this.op = op;
        this.user = user;
        this.kind = kind;
        this.reactions = reactions;
        this.existingIsFine = kind == ChangeKind.PUT;
    }

    Wish op(String op) {
        this.op = op;
        return this;
    }

    Wish on(EntityKey key) {
        this.key = key;
        return this;
    }

    Wish at(long now) {
        this.now = now;
        return this;
    }

    Wish under(long config) {
        this.config = config;
        return this;
    }

    /** Adds a group of the new reaction with each of the others. */
    Wish excludedBy(String... others) {
        for (String other : others) {
            exclusive(reactions.getFirst(), other);
        }
        return this;
    }

    Wish exclusive(String... group) {
        groups.add(List.of(group));
        return this;
    }

    /** Restricts the states on which it may be judged. */
    Wish on(Proposal.Basis states) {
        this.basis = states;
        return this;
    }

    Wish limit(int limit) {
        this.limit = limit;
        return this;
    }

    /** As in a set that is open to other reactions. */
    Wish open() {
        this.open = true;
        return this;
    }

    Wish limitOfUser(int most) {
        this.limitOfUser = most;
        return this;
    }

    /** Under constraints, as programs; also a removal. */
    Wish constraints(String... programs) {
        this.constraints = String.join("\u001e", programs);
        return this;
    }

    /** The constraints need the time of the user's last reaction. */
    Wish timesOfUsers() {
        this.timesOfUsers = true;
        return this;
    }

    Wish attributes(String encoded) {
        this.attributes = encoded;
        return this;
    }

    Wish live(String... reactions) {
        this.live = List.of(reactions);
        return this;
    }

    /** With the end of the season of a reaction, in milliseconds since 1970. */
    Wish until(String reaction, long millis) {
        seasonEnds.put(reaction, millis);
        return this;
    }

    Wish force() {
        this.force = true;
        return this;
    }

    Wish existingIsFine() {
        this.existingIsFine = true;
        return this;
    }

    /** With idempotency key {@code key}, in the request {@code request}. */
    Wish keyed(String key, String request) {
        this.idempotency = new Proposal.Idempotency(key, "hash of " + key, request);
        return this;
    }

    Wish withState() {
        this.withState = true;
        return this;
    }

    Proposal proposal() {
        var rules =
                kind == ChangeKind.REMOVE && constraints.isEmpty()
                        ? Proposal.RuleData.NONE
                        : new Proposal.RuleData(
                                config,
                                groups,
                                limit,
                                live,
                                open,
                                limitOfUser,
                                constraints,
                                timesOfUsers,
                                seasonEnds);
        return new Proposal(
                op,
                now,
                key,
                user,
                kind,
                reactions,
                rules,
                force,
                existingIsFine,
                idempotency,
                basis,
                withState,
                attributes,
                "");
    }

    ReactScript.Reply reply() {
        return reply(hot.fence);
    }

    ReactScript.Reply reply(Fence fence) {
        return hot.send(this, fence, "token of " + user, "").join();
    }

    /** The reply to a request that waited in vain for {@code stale}. */
    ReactScript.Reply insteadOf(String stale) {
        return hot.send(this, hot.fence, "token of " + user, stale).join();
    }

    /** The reply to a proposal that must be accepted. */
    ReactScript.Reply.Accepted accepted() {
        return (ReactScript.Reply.Accepted) reply();
    }
}
