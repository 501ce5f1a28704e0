package dev.ovation.transfer.file;

import java.io.IOException;

/** Takes what a file says, in the order of the file. */
public interface Sink {

    /** The next row. */
    void row(Row row) throws IOException;

    /** A line, or a part of one, that cannot be imported. */
    void bad(long line, String problem) throws IOException;

    /** An object of the contest that nobody likes. */
    default void withoutLikes() {}

    /** So many rows should have come before, the file itself says. */
    default void stated(long rows) {}
}
