package dev.ovation.transfer;

import dev.ovation.transfer.file.Row;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Table {@code import_row}: what imports still have to move. */
final class ImportRows {

    private static final int DELETED_AT_ONCE = 20_000;

    private final JdbcTemplate jdbc;

    ImportRows(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** The rows of a partition with {@code from < n <= to}, as many as they are. */
    record Piece(int p, long from, long to, int rows) {}

    /**
     * Rows on their way, in the text form of COPY; those of a partition side by side, for side by
     * side they will be read.
     */
    static final class Buffer {
        private final SortedMap<Integer, StringBuilder> texts = new TreeMap<>();
        private int rows;

        void add(long job, int p, long n, Row row) {
            var text = texts.computeIfAbsent(p, _ -> new StringBuilder());
            text.append(job).append('\t').append(p).append('\t').append(n);
            field(text, row.namespace());
            field(text, row.entity());
            field(text, row.user());
            field(text, row.value());
            text.append('\t').append(row.at()).append('\n');
            rows++;
        }

        /** Ids hold no control characters; so only the backslash means something else. */
        private static void field(StringBuilder text, @Nullable String value) {
            text.append('\t');
            if (value == null) {
                text.append("\\N");
            } else if (value.indexOf('\\') < 0) {
                text.append(value);
            } else {
                text.append(value.replace("\\", "\\\\"));
            }
        }

        int rows() {
            return rows;
        }

        InputStream bytes() {
            return new ByteArrayInputStream(
                    String.join("", texts.values()).getBytes(StandardCharsets.UTF_8));
        }

        void clear() {
            texts.clear(); // a text as long as a chunk for each partition would be too much to keep
            rows = 0;
        }
    }

    /** Puts rows down, within the transaction of the caller. */
    void copy(Buffer buffer) {
        if (buffer.rows == 0) {
            return;
        }
        ConnectionCallback<Long> copy =
                connection -> {
                    try {
                        return connection
                                .unwrap(PGConnection.class)
                                .getCopyAPI()
                                .copyIn(
                                        """
                                        copy import_row (job_id, p, n, namespace, entity, user_id,
                                                         value, at)
                                        from stdin
                                        """,
                                        buffer.bytes());
                    } catch (IOException e) {
                        throw new SQLException(e);
                    }
                };
        Long copied = jdbc.execute(copy);
        if (copied == null || copied != buffer.rows) {
            throw new DataAccessResourceFailureException("not all rows were put down");
        }
    }

    /** Finds the rows that follow a place, of one partition and so many at most. */
    @Nullable Piece next(long job, int p, long after, int limit) {
        List<Piece> found =
                jdbc.query(
                        """
                        with next as (
                            select p, n from import_row
                            where  job_id = ? and (p, n) > (?, ?)
                            order  by p, n limit ?)
                        select p, max(n), count(*) from next
                        where  p = (select min(p) from next)
                        group  by p
                        """,
                        (row, _) ->
                                new Piece(
                                        row.getInt(1),
                                        row.getInt(1) == p ? after : 0,
                                        row.getLong(2),
                                        row.getInt(3)),
                        job,
                        p,
                        after,
                        limit);
        return found.isEmpty() ? null : found.getFirst();
    }

    /**
     * Deletes some rows of one import that is over, and told of as a whole; returns whether there
     * may be more, of any.
     */
    boolean deleteSome() {
        return jdbc.update(
                        """
                        delete from import_row
                        where  ctid = any (array(
                            select ctid from import_row
                            where  job_id = (select job_id from job j
                                             where (state = 'done'
                                                    or state in ('failed', 'cancelled') and not ready)
                                             and    exists (select from import_row r
                                                            where  r.job_id = j.job_id)
                                             order  by job_id limit 1)
                            limit ?))
                        """,
                        DELETED_AT_ONCE)
                > 0;
    }
}
