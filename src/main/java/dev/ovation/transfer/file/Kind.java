package dev.ovation.transfer.file;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What the rows of a file are, and in which form. */
public enum Kind {
    REACTIONS(
            "reactions",
            Target.REACTIONS,
            List.of("namespace_id", "entity_id", "user_id", "reaction_id", "reacted_at")),
    USERS("users", Target.USERS, List.of("user_id", "display_name")),
    FRIENDS("friends", Target.FRIENDS, List.of("user_id", "friend_id")),
    /** {@code uid,nickname} */
    PCC_USERS("pcc-users", Target.USERS, List.of()),
    /** {@code uid,friend_id} */
    PCC_FRIENDS("pcc-friends", Target.FRIENDS, List.of()),
    /** {@code oid,uid,uid…} or {@code oid:[uid,uid,…]} */
    PCC_LIKES("pcc-likes", Target.REACTIONS, List.of());

    private static final String JOB = "import-";

    /** As in requests. */
    public final String label;

    /** What its rows end up as. */
    public final Target target;

    /** The columns of its CSV, and the members of its NDJSON; none for files of the contest. */
    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    public final List<String> columns;

    /** What a row ends up as. */
    public enum Target {
        REACTIONS,
        USERS,
        FRIENDS
    }

    Kind(String label, Target target, List<String> columns) {
        this.label = label;
        this.target = target;
        this.columns = columns;
    }

    /** The kind of the job that imports this. */
    public String job() {
        return JOB + label;
    }

    /** Whether its file is one of the contest's, which have neither header nor names. */
    public boolean isOfTheContest() {
        return columns.isEmpty();
    }

    /** The one of this label; null for none. */
    public static @Nullable Kind of(@Nullable String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label.equals(label))
                .findFirst()
                .orElse(null);
    }

    /** All labels, for people. */
    public static String labels() {
        return Arrays.stream(values()).map(kind -> kind.label).collect(Collectors.joining(", "));
    }

    /** The one that a job imports. */
    public static Kind ofJob(String job) {
        Kind kind = of(job.substring(JOB.length()));
        if (kind == null) {
            throw new IllegalArgumentException(job);
        }
        return kind;
    }
}
