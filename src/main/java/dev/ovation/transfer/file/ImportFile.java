package dev.ovation.transfer.file;

import java.io.IOException;

/** An uploaded file. The same bytes always give the same rows in the same order. */
public interface ImportFile {

    /** Reads the file to its end. */
    void readInto(Sink sink) throws IOException;
}
