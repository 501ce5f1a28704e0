package dev.ovation.entity;

/** The kind of a user's change of their reactions to one entity. */
public enum ChangeKind {
    ADD,
    REMOVE,
    /** Removes every unlisted reaction and adds every missing one; the rules judge the result. */
    PUT
}
