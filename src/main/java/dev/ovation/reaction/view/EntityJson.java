package dev.ovation.reaction.view;

import dev.ovation.web.http.Json;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;

/**
 * The JSON of an entity: the members of the older service first, in its order; then those of {@code
 * details=true}. {@code sum} and {@code average} are over the counted reactions that have a value,
 * the average rounded half up to four places; both are absent when no reaction has one.
 */
public record EntityJson(
        String entityId,
        List<Count> reactionsCount,
        @Nullable Boolean locked,
        @Nullable OwnReactionsJson userReactions,
        @Nullable String version,
        @Nullable Long total,
        @Nullable BigDecimal sum,
        @Nullable BigDecimal average) {

    private static final DateTimeFormatter MILLISECONDS =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter();
    private static final int AVERAGE_PLACES = 4;
    private static final byte[] USER_REACTIONS =
            ",\"user_reactions\":".getBytes(StandardCharsets.UTF_8);

    record Count(
            String reactionId,
            long count,
            @Nullable String firstReactedAt,
            @Nullable String lastReactedAt,
            @Nullable Boolean retired) {}

    record OwnReactionsJson(String userId, List<String> reactions) {}

    /** Returns the answer of the older service without a user. */
    static byte[] counted(String entity, List<ReactionCount> reactions, boolean locked) {
        List<Count> counts =
                reactions.stream()
                        .map(each -> new Count(each.reaction(), each.count(), null, null, null))
                        .toList();
        return Json.bytes(
                new EntityJson(entity, counts, flag(locked), null, null, null, null, null));
    }

    /** Returns the same answer with a user: it has one more member at the end. */
    static byte[] withUserReactions(byte[] counted, String user, List<String> reactions) {
        byte[] own = Json.bytes(new OwnReactionsJson(user, reactions));
        int end = withoutBrace(counted);
        byte[] json = Arrays.copyOf(counted, end + USER_REACTIONS.length + own.length + 1);
        System.arraycopy(USER_REACTIONS, 0, json, end, USER_REACTIONS.length);
        System.arraycopy(own, 0, json, end + USER_REACTIONS.length, own.length);
        json[json.length - 1] = '}';
        return json;
    }

    /**
     * Returns how many bytes of the JSON of an object precede its last brace, so that a member can
     * follow them.
     *
     * @throws IllegalStateException when the JSON ends otherwise
     */
    static int withoutBrace(byte[] json) {
        int end = json.length - 1;
        if (json[end] != '}') {
            throw new IllegalStateException("the JSON of an entity does not end with a brace");
        }
        return end;
    }

    /** Returns the JSON with all details. */
    public static EntityJson detailed(EntityView view) {
        return detailed(view, view.version());
    }

    /** Returns the JSON with all details and another version. */
    static EntityJson detailed(EntityView view, String version) {
        return detailed(
                view.entity(), view.counts(), view.isLocked(), userReactions(view), version);
    }

    /** Returns the JSON with all details except the viewer and the version. */
    static EntityJson detailed(String entity, List<ReactionCount> counts, boolean locked) {
        return detailed(entity, counts, locked, null, null);
    }

    private static EntityJson detailed(
            String entity,
            List<ReactionCount> counts,
            boolean locked,
            @Nullable OwnReactionsJson userReactions,
            @Nullable String version) {
        List<ReactionCount> rated = counts.stream().filter(each -> each.value() != null).toList();
        BigDecimal sum = rated.isEmpty() ? null : sum(rated);
        return new EntityJson(
                entity,
                counts.stream().map(EntityJson::detailed).toList(),
                flag(locked),
                userReactions,
                version,
                total(counts),
                sum,
                sum == null ? null : average(sum, total(rated)));
    }

    private static Count detailed(ReactionCount count) {
        return new Count(
                count.reaction(),
                count.count(),
                time(count.firstAt()),
                time(count.lastAt()),
                count.retired() ? true : null);
    }

    private static @Nullable OwnReactionsJson userReactions(EntityView view) {
        String user = view.user();
        return user == null ? null : new OwnReactionsJson(user, view.userReactions());
    }

    private static @Nullable Boolean flag(boolean value) {
        return value ? true : null;
    }

    private static long total(List<ReactionCount> counts) {
        return counts.stream().mapToLong(ReactionCount::count).sum();
    }

    private static BigDecimal sum(List<ReactionCount> rated) {
        BigDecimal sum = BigDecimal.ZERO;
        for (ReactionCount each : rated) {
            if (each.value() != null) {
                sum = sum.add(each.value().multiply(BigDecimal.valueOf(each.count())));
            }
        }
        return sum.stripTrailingZeros();
    }

    private static BigDecimal average(BigDecimal sum, long count) {
        return sum.divide(BigDecimal.valueOf(count), AVERAGE_PLACES, RoundingMode.HALF_UP)
                .stripTrailingZeros();
    }

    static String time(long micros) {
        return MILLISECONDS.format(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
    }
}
