package dev.ovation.reaction.write;

import dev.ovation.reaction.view.EntityView;

import java.util.List;

/**
 * What a write did.
 *
 * @param applied false when everything was already as wished
 * @param added the reactions that the user gained
 * @param removed the reactions that the user lost
 * @param entity the state after it, with the user's reactions
 */
public record WriteResult(
        boolean applied, List<String> added, List<String> removed, EntityView entity) {

    /** As clients are told. */
    public String outcome() {
        return applied ? "applied" : "unchanged";
    }

    /** The reactions that the user had and has. */
    public List<String> unchanged() {
        return entity.userReactions().stream().filter(each -> !added.contains(each)).toList();
    }
}
