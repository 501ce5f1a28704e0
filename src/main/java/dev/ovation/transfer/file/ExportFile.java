package dev.ovation.transfer.file;

import dev.ovation.web.http.Json;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An exported file: CSV with a header, or NDJSON; its last line states its number of rows. */
public final class ExportFile {

    private static final int BUFFER = 1 << 16;

    private final OutputStream out;
    private final boolean json;
    private long rows;

    /**
     * Begins a file.
     *
     * @param json whether the file is NDJSON
     */
    public ExportFile(OutputStream out, boolean json) {
        this.out = new BufferedOutputStream(out, BUFFER);
        this.json = json;
    }

    /** Writes the first line of CSV; NDJSON has none. */
    public void header(List<String> columns) throws IOException {
        if (!json) {
            line(Csv.join(columns));
        }
    }

    /** Writes a row with one value for each column; NDJSON lacks members that would be empty. */
    public void row(List<String> columns, List<String> values) throws IOException {
        rows++;
        if (json) {
            var members = new LinkedHashMap<String, Object>();
            for (int i = 0; i < columns.size(); i++) {
                if (!values.get(i).isEmpty()) {
                    members.put(columns.get(i), values.get(i));
                }
            }
            line(members);
        } else {
            line(Csv.join(values));
        }
    }

    /** Writes the last line; a file without it is incomplete. */
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
