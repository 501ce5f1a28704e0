package dev.ovation.transfer.file;

import java.io.IOException;

/** A file that arrives. The same bytes give the same rows in the same order, always. */
public interface ImportFile {

    /** Reads it to its end. */
    void readInto(Sink sink) throws IOException;
}
