package dev.ovation.transfer.staging;

import dev.ovation.store.shard.Narrowed;
import dev.ovation.store.shard.Shards;
import dev.ovation.transfer.file.FileRow;

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

/** Table {@code import_row}: staged rows that imports have yet to merge. */
public final class StagingTable {

    private static final int DELETED_AT_ONCE = 20_000;

    private final JdbcTemplate jdbc;
    private final Shards shards;

    public StagingTable(JdbcTemplate jdbc, Shards shards) {
        this.jdbc = jdbc;
        this.shards = shards;
    }

    /** The rows of a partition with {@code from < n <= to}, and their number. */
    public record Piece(int p, long from, long to, int rows) {}

    /**
     * Rows to be staged, in the text form of COPY. Rows of one partition are stored side by side,
     * because they will be read together.
     */
    static final class Buffer {
        private final SortedMap<Integer, StringBuilder> texts = new TreeMap<>();
        private int rows;

        void add(long job, int p, long n, FileRow row) {
            var text = texts.computeIfAbsent(p, _ -> new StringBuilder());
            text.append(job).append('\t').append(p).append('\t').append(n);
            field(text, row.namespace());
            field(text, row.entity());
            field(text, row.user());
            field(text, row.value());
            text.append('\t').append(row.at());
            field(text, row.avatar());
            text.append('\t').append(row.removes());
            field(text, row.form());
            text.append('\n');
            rows++;
        }

        /**
         * Appends a field. Ids hold no control characters, so only the backslash needs escaping.
         */
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
            texts.clear(); // a chunk-sized text for each partition would take too much memory
            rows = 0;
        }
    }

    /** Stages rows, within the transaction of the caller. */
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
                                                         value, at, avatar_url, removes, form)
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

    /** Finds the rows after a place, of one partition and at most {@code limit}. */
    public @Nullable Piece next(long job, int p, long after, int limit) {
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
     * Deletes some rows of one import that is over and completely reported. Returns whether more
     * rows may remain, of any import.
     */
    boolean deleteSome() {
        if (shards.areMany()) {
            return deleteSomeOfEachShard();
        }
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

    /** Deletes rows of the imports that are over, and some of each at most. */
    private boolean deleteSomeOfEachShard() {
        List<Long> over =
                jdbc.query(
                        """
                        select job_id from job
                        where  state = 'done' or state in ('failed', 'cancelled') and not ready
                        """,
                        (row, _) -> row.getLong(1));
        return !over.isEmpty()
                && shards.sum(
                                () ->
                                        jdbc.update(
                                                Narrowed.sql(
                                                        """
                                                        delete from import_row
                                                        where  ctid = any (array(
                                                            select ctid from import_row
                                                            where  job_id = any (?) /*on p*/
                                                            limit  ?)) /*on p*/
                                                        """),
                                                over.toArray(Long[]::new),
                                                DELETED_AT_ONCE))
                        > 0;
    }
}
