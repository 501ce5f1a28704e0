package dev.ovation.rules;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;

import dev.ovation.rules.constraint.AttributeType;
import dev.ovation.rules.constraint.Constraint;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A kind of entities that follow the same rules.
 *
 * @param maxUniqReactions number of kinds of reactions that one entity may show; 0 forbids every
 *     addition
 * @param mutuallyExclusiveReactions groups, possibly overlapping, of which one user may have at
 *     most one member on an entity
 * @param maxReactionsPerUser number of reactions of its set that one user may have on an entity;
 *     null for no limit
 * @param attributes the attributes that constraints may read, by name
 * @param constraints conditions of its own, in the order in which they are judged
 */
public record Namespace(
        String id,
        String reactionSetId,
        int maxUniqReactions,
        List<List<String>> mutuallyExclusiveReactions,
        @Nullable Integer maxReactionsPerUser,
        @JsonInclude(Include.NON_EMPTY) @Nullable Map<String, AttributeType.Declaration> attributes,
        @JsonInclude(Include.NON_EMPTY) @Nullable List<Constraint> constraints) {

    public Namespace {
        mutuallyExclusiveReactions =
                mutuallyExclusiveReactions.stream().<List<String>>map(List::copyOf).toList();
        attributes =
                attributes == null
                        ? Map.of()
                        : Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        constraints = constraints == null ? List.of() : List.copyOf(constraints);
    }

    /** Creates a namespace without constraints of its own. */
    public Namespace(
            String id,
            String reactionSetId,
            int maxUniqReactions,
            List<List<String>> mutuallyExclusiveReactions,
            @Nullable Integer maxReactionsPerUser) {
        this(
                id,
                reactionSetId,
                maxUniqReactions,
                mutuallyExclusiveReactions,
                maxReactionsPerUser,
                Map.of(),
                List.of());
    }

    /** Returns the declared attributes by name. */
    @Override
    public Map<String, AttributeType.Declaration> attributes() {
        return attributes == null ? Map.of() : attributes;
    }

    /** Returns the constraints. */
    @Override
    public List<Constraint> constraints() {
        return constraints == null ? List.of() : constraints;
    }

    /** Creates a namespace without a limit for users. */
    public Namespace(
            String id,
            String reactionSetId,
            int maxUniqReactions,
            List<List<String>> mutuallyExclusiveReactions) {
        this(id, reactionSetId, maxUniqReactions, mutuallyExclusiveReactions, null);
    }
}
