package dev.ovation.transfer;

import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.replica.ReplicaPosition;
import dev.ovation.store.replica.ReplicaReader;
import dev.ovation.store.shard.Narrowed;
import dev.ovation.transfer.Exports.ExportSink;
import dev.ovation.transfer.file.FileKind;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** Reads pages; each page is one query, which takes its turn with the queries of others. */
final class Pages {

    /** Rows of a page. */
    static final int ROWS = 5_000;

    /** Number of times that a page may wait for its turn in vain. */
    private static final int TRIES = 10;

    private static final long PAUSE_NANOS = 200_000_000;

    private final ReplicaReader<JdbcTemplate> reader;
    private final boolean isOwn;
    private final @Nullable ReplicaPosition from;

    /**
     * Creates the pages of one export.
     *
     * @param isOwn whether a user asks for the user's own rows, which are few
     * @param from the beginning of the export: what was committed before is in all its pages
     */
    Pages(ReplicaReader<JdbcTemplate> reader, boolean isOwn, @Nullable ReplicaPosition from) {
        this.reader = reader;
        this.isOwn = isOwn;
        this.from = from;
    }

    /** A row, and the key after which the next rows follow. */
    private record ExportRow(List<Object> key, List<String> values) {}

    /**
     * Reads pages until one is not full. A page stays in memory while it is written, so that a slow
     * reader holds no connection.
     *
     * @param sql query for the rows after a key, whose columns come first
     * @param fixed first arguments of the query; the key and the limit follow
     */
    void read(
            FileKind kind,
            String sql,
            List<Object> fixed,
            List<Object> start,
            RowMapper<List<String>> values,
            ExportSink to)
            throws IOException {
        List<Object> key = start;
        List<ExportRow> page;
        do {
            var arguments = new ArrayList<>(fixed);
            arguments.addAll(key);
            arguments.add(ROWS);
            page =
                    ask(
                            sql,
                            (row, n) ->
                                    new ExportRow(key(row, start.size()), values.mapRow(row, n)),
                            arguments.toArray());
            for (ExportRow item : page) {
                to.row(kind, item.values);
            }
            key = page.isEmpty() ? key : page.getLast().key;
        } while (page.size() == ROWS);
    }

    /** Runs one query, and waits for its turn. */
    <T> List<T> ask(String sql, RowMapper<T> rows, Object... arguments) {
        Function<JdbcTemplate, List<T>> page =
                jdbc -> jdbc.query(Narrowed.sql(sql), rows, arguments);
        for (int i = 1; ; i++) {
            try {
                return isOwn ? reader.newest(page) : reader.recent(from, page);
            } catch (PostgresBulkhead.BusyException e) {
                if (i == TRIES) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private static List<Object> key(ResultSet row, int columns) throws SQLException {
        var key = new ArrayList<Object>(columns);
        for (int i = 1; i <= columns; i++) {
            key.add(row.getObject(i));
        }
        return key;
    }
}
