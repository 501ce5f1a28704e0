package dev.ovation.transfer.file;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The meaning of the rows of a file, and their form. */
public enum FileKind {
    REACTIONS(
            "reactions",
            RowKind.REACTIONS,
            List.of("namespace_id", "entity_id", "user_id", "reaction_id", "reacted_at")),
    /** A name, an avatar, or both; the column of avatars may be missing. */
    USERS("users", RowKind.USERS, List.of("user_id", "display_name", FileKind.AVATAR)),
    FRIENDS("friends", RowKind.FRIENDS, List.of("user_id", "friend_id")),
    /** {@code uid,nickname} */
    PCC_USERS("pcc-users", RowKind.USERS, List.of()),
    /** {@code uid,friend_id} */
    PCC_FRIENDS("pcc-friends", RowKind.FRIENDS, List.of()),
    /** {@code oid,uid,uid…} or {@code oid:[uid,uid,…]} */
    PCC_LIKES("pcc-likes", RowKind.REACTIONS, List.of());

    /** The column that older files of users lack. */
    static final String AVATAR = "avatar_url";

    private static final String JOB = "import-";

    /** The job that compares a file of reactions with the stored ones. */
    public static final String COMPARISON = "compare-reactions";

    /** The label of the kind in requests. */
    public final String label;

    /** The target of its rows. */
    public final RowKind target;

    /** The columns of its CSV, and the members of its NDJSON; none for files of the contest. */
    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    public final List<String> columns;

    /** The target of a row. */
    public enum RowKind {
        REACTIONS,
        USERS,
        FRIENDS
    }

    FileKind(String label, RowKind target, List<String> columns) {
        this.label = label;
        this.target = target;
        this.columns = columns;
    }

    /** Returns the kind of the job that imports this kind. */
    public String job() {
        return JOB + label;
    }

    /** Returns whether the file is one of the contest's, which have neither header nor names. */
    public boolean isOfTheContest() {
        return columns.isEmpty();
    }

    /** Returns the kind of this label; null for none. */
    public static @Nullable FileKind of(@Nullable String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label.equals(label))
                .findFirst()
                .orElse(null);
    }

    /** Returns all labels as text for messages. */
    public static String labels() {
        return Arrays.stream(values()).map(kind -> kind.label).collect(Collectors.joining(", "));
    }

    /** Returns the kind that a job imports or compares. */
    public static FileKind ofJob(String job) {
        if (job.equals(COMPARISON)) {
            return REACTIONS;
        }
        FileKind kind = of(job.substring(JOB.length()));
        if (kind == null) {
            throw new IllegalArgumentException(job);
        }
        return kind;
    }
}
