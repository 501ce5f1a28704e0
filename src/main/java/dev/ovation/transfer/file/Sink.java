package dev.ovation.transfer.file;

import java.io.IOException;

/** Receives the content of a file, in the order of the file. */
public interface Sink {

    /** Receives the next row. */
    void row(FileRow row) throws IOException;

    /** Receives a line, or a part of one, that cannot be imported. */
    void bad(long line, String problem) throws IOException;

    /** Receives an object of the contest without likes. */
    default void withoutLikes() {}

    /** Receives the number of preceding rows that the file itself states. */
    default void stated(long rows) {}
}
