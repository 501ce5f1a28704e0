package dev.ovation.transfer.file;

import dev.ovation.web.http.Json;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A file that leaves: CSV with a header, or NDJSON; its last line states how many rows it has. */
public final class ExportFile {

    private static final int BUFFER = 1 << 16;

    private final OutputStream out;
    private final boolean json;
    private long rows;

    /**
     * A file that begins.
     *
     * @param json whether it is NDJSON
     */
    public ExportFile(OutputStream out, boolean json) {
        this.out = new BufferedOutputStream(out, BUFFER);
        this.json = json;
    }

    /** The first line of CSV; NDJSON has none. */
    public void header(List<String> columns) throws IOException {
        if (!json) {
            line(Csv.join(columns));
        }
    }

    /** A row of as many values as columns. */
    public void row(List<String> columns, List<String> values) throws IOException {
        rows++;
        if (json) {
            var members = new LinkedHashMap<String, Object>();
            for (int i = 0; i < columns.size(); i++) {
                members.put(columns.get(i), values.get(i));
            }
            line(members);
        } else {
            line(Csv.join(values));
        }
    }

    /** Whoever does not find this line has not got all. */
    public void end() throws IOException {
        if (json) {
            line(Map.of("count", rows));
        } else {
            line("# count: " + rows);
        }
        out.flush();
    }

    private void line(Map<String, ?> members) throws IOException {
        out.write(Json.bytes(members));
        out.write('\n');
    }

    private void line(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.write('\n');
    }
}
