package dev.ovation.transfer.file;

import dev.ovation.entity.Ids;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The files of the Performance Challenge Championship in their original form: no header, ids that
 * are unsigned numbers of 64 bits, likes without a time.
 */
public final class ContestFile implements ImportFile {

    /** Default namespace of likes. */
    public static final String NAMESPACE = "pcc";

    static final String LIKE = "like";

    /**
     * Times of likes, which are the same for the same place in the file: a millisecond for each
     * line since the day of the contest's file, and a microsecond for each like on it.
     */
    private static final long LIKES_FROM =
            ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse("2017-03-22T00:00:00Z"));

    private static final int DIGITS = 20;

    private final FileKind kind;
    private final Lines lines;
    private final String namespace;

    /**
     * Creates a file that is read line by line.
     *
     * @param namespace namespace of its likes
     */
    public ContestFile(FileKind kind, Lines lines, String namespace) {
        this.kind = kind;
        this.lines = lines;
        this.namespace = namespace;
    }

    @Override
    public void readInto(Sink sink) throws IOException {
        while (lines.next()) {
            try {
                switch (kind.target) {
                    case REACTIONS -> likes(sink);
                    case USERS -> user(sink);
                    case FRIENDS -> friends(sink);
                }
            } catch (BadRowException e) {
                sink.bad(lines.number(), e.problem());
            }
        }
    }

    private void user(Sink sink) throws IOException, BadRowException {
        String line = lines.text();
        if (line.isBlank()) {
            return;
        }
        String[] parts = parts(line);
        String problem =
                parts[1].isEmpty() ? "must not be empty" : Ids.problem(parts[1], Ids.MAX_BYTES);
        if (problem != null) {
            throw new BadRowException("the nickname " + problem);
        }
        sink.row(new FileRow(null, null, id(parts[0]), parts[1], 0));
    }

    private void friends(Sink sink) throws IOException, BadRowException {
        String line = lines.text();
        if (line.isBlank()) {
            return;
        }
        String[] parts = parts(line);
        String user = id(parts[0]);
        String friend = id(parts[1]);
        if (user.equals(friend)) {
            throw new BadRowException("names a user as a friend of its own");
        }
        sink.row(new FileRow(null, null, user, friend, 0));
    }

    private static String[] parts(String line) throws BadRowException {
        String[] parts = line.split(",", 2);
        if (parts.length < 2) {
            throw new BadRowException("has no comma");
        }
        return parts;
    }

    /**
     * Reads likes. A line may be of any length, so it is read id by id. A bad id is skipped alone;
     * a bad object id skips the whole line.
     */
    private void likes(Sink sink) throws IOException, BadRowException {
        var word = new StringBuilder();
        String object = null;
        int likes = 0;
        int next;
        do {
            next = lines.read();
            if (next >= 0 && ",:[]".indexOf(next) < 0) {
                word.append(word.length() <= DIGITS ? Character.toString(next) : "");
                continue;
            }
            if (word.isEmpty()) {
                continue;
            }
            if (object == null) {
                object = id(word.toString());
            } else {
                likes++;
                like(object, word.toString(), likes, sink);
            }
            word.setLength(0);
        } while (next >= 0);
        if (object != null && likes == 0) {
            sink.withoutLikes();
        }
    }

    private void like(String object, String word, int place, Sink sink) throws IOException {
        try {
            long at = LIKES_FROM + lines.number() * 1000 + place;
            sink.row(new FileRow(namespace, object, id(word), LIKE, at));
        } catch (BadRowException e) {
            sink.bad(lines.number(), "like " + place + " " + e.problem());
        }
    }

    /** Returns the shortest form: one number is one id. */
    private static String id(String text) throws BadRowException {
        if (text.isEmpty()
                || text.length() > DIGITS
                || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new BadRowException("has an id that is not a number");
        }
        try {
            return Long.toUnsignedString(Long.parseUnsignedLong(text));
        } catch (NumberFormatException e) {
            throw new BadRowException("has an id beyond 64 bits");
        }
    }
}
