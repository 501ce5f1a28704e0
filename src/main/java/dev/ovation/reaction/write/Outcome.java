package dev.ovation.reaction.write;

import dev.ovation.web.problem.ProblemException;

/** What became of one operation of a batch. */
public sealed interface Outcome {

    /** It was done; without the entity. */
    record Done(WriteResult result) implements Outcome {}

    /** It was refused, or nobody knows. */
    record Failed(ProblemException problem) implements Outcome {}
}
