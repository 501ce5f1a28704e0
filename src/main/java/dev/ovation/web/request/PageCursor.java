package dev.ovation.web.request;

import dev.ovation.entity.Sha256;
import dev.ovation.web.problem.ProblemException;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;

/**
 * Cursor of a paged list: an opaque text with the place of the last returned item. It is valid for
 * the same query only and never expires. Parts of places and queries contain no control characters.
 */
public final class PageCursor {

    private static final String SEPARATOR = "\n";
    private static final int HASH_BYTES = 8;

    private final List<String> question;

    private PageCursor(List<String> question) {
        this.question = question;
    }

    /**
     * Creates the cursors of one query.
     *
     * @param question all parameters that determine the items and their order
     */
    public static PageCursor of(Object... question) {
        return new PageCursor(Arrays.stream(question).map(String::valueOf).toList());
    }

    /** The text for a place. */
    public String at(Object... place) {
        byte[] text =
                String.join(SEPARATOR, Arrays.stream(place).map(String::valueOf).toList())
                        .getBytes(StandardCharsets.UTF_8);
        byte[] whole = Arrays.copyOf(hash(text), HASH_BYTES + text.length);
        System.arraycopy(text, 0, whole, HASH_BYTES, text.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
    }

    /**
     * Reads a place back.
     *
     * @param text what the client sent; null or empty for the beginning
     * @param form parses the parts of a place; any exception means an invalid cursor
     * @return null for the beginning
     * @throws ProblemException 400 {@code invalid-cursor} when the text is no cursor of this query;
     *     check all other parameters first
     */
    public <T> @Nullable T read(@Nullable String text, Function<List<String>, T> form) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            byte[] whole = Base64.getUrlDecoder().decode(text);
            byte[] place = Arrays.copyOfRange(whole, HASH_BYTES, whole.length);
            if (Arrays.equals(hash(place), Arrays.copyOf(whole, HASH_BYTES))) {
                return form.apply(parts(place));
            }
        } catch (RuntimeException _) {
            // Not a cursor of this service: answered below.
        }
        throw Problems.invalidCursor();
    }

    /**
     * Reads the place in a list of falling numbers: the number of the last item before the page.
     *
     * @param text what the client sent; null or empty for the beginning
     * @return {@link Long#MAX_VALUE} for the beginning
     * @throws ProblemException as {@link #read}
     */
    public long below(@Nullable String text) {
        Long number = read(text, parts -> Long.parseLong(parts.getFirst()));
        return number == null ? Long.MAX_VALUE : number;
    }

    private static List<String> parts(byte[] place) {
        List<String> parts =
                List.of(new String(place, StandardCharsets.UTF_8).split(SEPARATOR, -1));
        if (parts.stream().anyMatch(part -> part.chars().anyMatch(Character::isISOControl))) {
            throw new IllegalArgumentException("a control character");
        }
        return parts;
    }

    /** Covers the query and the place, so that an altered cursor is detected. */
    private byte[] hash(byte[] place) {
        var digest = Sha256.digest();
        digest.update(String.join(SEPARATOR, question).getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        digest.update(place);
        return Arrays.copyOf(digest.digest(), HASH_BYTES);
    }
}
