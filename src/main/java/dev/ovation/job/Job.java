package dev.ovation.job;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;

/**
 * A row of table {@code job}.
 *
 * @param id its number, which clients see as text
 * @param kind the kind of work, such as {@code import-users}
 * @param request the request, in the form of its {@link JobHandler}
 * @param position the progress, in the form of its {@link JobHandler}
 * @param done completed units of {@code total}
 * @param total units of the whole job; null while unknown
 * @param report the report for clients
 * @param startedAt time of the request
 * @param finishedAt time of the end: done, failed or cancelled
 */
public record Job(
        long id,
        String kind,
        JobState state,
        JsonNode request,
        JsonNode position,
        long done,
        @Nullable Long total,
        JsonNode report,
        Instant startedAt,
        @Nullable Instant finishedAt) {

    /**
     * Returns whether the job has ended; the last batch of a failed or cancelled job may be
     * unacknowledged.
     */
    boolean isOver() {
        return finishedAt != null;
    }

    /** The states of a job; the last three are final. */
    public enum JobState {
        WAITING,
        RUNNING,
        DONE,
        FAILED,
        CANCELLED;

        /** Returns the label, the same in the table and in answers. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        static @Nullable JobState of(String label) {
            return Arrays.stream(values())
                    .filter(state -> state.label().equals(label))
                    .findFirst()
                    .orElse(null);
        }
    }
}
