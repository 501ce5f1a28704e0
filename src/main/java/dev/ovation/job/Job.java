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
 * @param kind what sort of work it is, such as {@code import-users}
 * @param request what is to be done, in the words of its {@link JobHandler}
 * @param position how far it has come, in the words of its {@link JobHandler}
 * @param done how much of it is done, in the unit of {@code total}
 * @param total how much there is to do; null while that is not known
 * @param report what there is to say about it
 * @param startedAt when it was asked for
 * @param finishedAt when it came to its end, whichever
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
     * Whether it came to its end; of one that failed or was cancelled the last piece may be
     * unacknowledged.
     */
    boolean isOver() {
        return finishedAt != null;
    }

    /** The states of a job; the last three are ends. */
    public enum JobState {
        WAITING,
        RUNNING,
        DONE,
        FAILED,
        CANCELLED;

        /** As in the table and in answers. */
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
