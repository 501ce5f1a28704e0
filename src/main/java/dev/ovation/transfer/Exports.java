package dev.ovation.transfer;

import dev.ovation.configuration.CurrentRules;
import dev.ovation.store.PostgresGate;
import dev.ovation.transfer.file.Kind;
import dev.ovation.transfer.file.Times;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Reads out what is stored, page by page in the order of a key: nothing is locked and no
 * transaction stays open, however long it takes. So what is there from beginning to end is read
 * once; what comes or goes meanwhile may be or not.
 */
final class Exports {

    private static final int PAGE = 5_000;

    /** How often a page may wait for its turn in vain. */
    private static final int TRIES = 10;

    private static final long PAUSE_NANOS = 200_000_000;

    private final JdbcTemplate jdbc;
    private final CurrentRules rules;
    private final PostgresGate gate;

    Exports(JdbcTemplate jdbc, CurrentRules rules, PostgresGate gate) {
        this.jdbc = jdbc;
        this.rules = rules;
        this.gate = gate;
    }

    /** Takes rows; the values are in the order of the kind's columns. */
    interface Target {
        void row(Kind kind, List<String> values) throws IOException;
    }

    /**
     * Reads all rows of a kind.
     *
     * @param namespace the only one whose reactions are wanted; null for all
     * @param user the only one whose rows are wanted; null for all
     */
    void read(Kind kind, @Nullable String namespace, @Nullable String user, Target to)
            throws IOException {
        switch (kind.target) {
            case REACTIONS -> {
                if (user != null) {
                    reactionsOf(user, namespace, to);
                } else if (namespace != null) {
                    reactionsIn(namespace, to);
                } else {
                    reactions(to);
                }
            }
            case USERS -> users(user, to);
            case FRIENDS -> friends(user, to);
        }
    }

    private void reactions(Target to) throws IOException {
        pages(
                Kind.REACTIONS,
                """
                select namespace, entity, user_id, reaction, reacted_at from user_reaction
                where  (namespace, entity, user_id, reaction) > (?, ?, ?, ?)
                order  by 1, 2, 3, 4 limit ?
                """,
                List.of(),
                List.of("", "", "", ""),
                (row, _) -> reaction(row),
                to);
    }

    private void reactionsIn(String namespace, Target to) throws IOException {
        pages(
                Kind.REACTIONS,
                """
                select entity, user_id, reaction, reacted_at, namespace from user_reaction
                where  namespace = ? and (entity, user_id, reaction) > (?, ?, ?)
                order  by 1, 2, 3 limit ?
                """,
                List.of(namespace),
                List.of("", "", ""),
                (row, _) -> reaction(row),
                to);
    }

    private void reactionsOf(String user, @Nullable String namespace, Target to)
            throws IOException {
        String only = namespace == null ? "" : namespace;
        pages(
                Kind.REACTIONS,
                """
                select namespace, reacted_at, entity, reaction, user_id from user_reaction
                where  user_id = ? and ? in ('', namespace)
                and    (namespace, reacted_at, entity, reaction) > (?, ?, ?, ?)
                order  by 1, 2, 3, 4 limit ?
                """,
                List.of(user, only),
                List.of("", -1L, "", ""),
                (row, _) -> reaction(row),
                to);
    }

    private List<String> reaction(ResultSet row) throws SQLException {
        return List.of(
                row.getString("namespace"),
                row.getString("entity"),
                row.getString("user_id"),
                rules.current().spelling(row.getString("reaction")),
                Times.text(row.getLong("reacted_at")));
    }

    private void users(@Nullable String user, Target to) throws IOException {
        pages(
                Kind.USERS,
                """
                select user_id, display_name from user_profile
                where  ? in ('', user_id) and user_id > ?
                order  by 1 limit ?
                """,
                List.of(user == null ? "" : user),
                List.of(""),
                (row, _) -> List.of(row.getString(1), row.getString(2)),
                to);
    }

    /** Of all friendships one direction; of a user's, those of that user. */
    private void friends(@Nullable String user, Target to) throws IOException {
        if (user != null) {
            pages(
                    Kind.FRIENDS,
                    """
                    select friend_id from friendship
                    where  user_id = ? and friend_id > ?
                    order  by 1 limit ?
                    """,
                    List.of(user),
                    List.of(""),
                    (row, _) -> List.of(user, row.getString(1)),
                    to);
        } else {
            pages(
                    Kind.FRIENDS,
                    """
                    select user_id, friend_id from friendship
                    where  user_id < friend_id and (user_id, friend_id) > (?, ?)
                    order  by 1, 2 limit ?
                    """,
                    List.of(),
                    List.of("", ""),
                    (row, _) -> List.of(row.getString(1), row.getString(2)),
                    to);
        }
    }

    /** A row, and the key behind which the next ones come. */
    private record Item(List<Object> key, List<String> values) {}

    /**
     * Reads pages until one is not full. A page is held while it is written, so that whoever takes
     * it slowly holds no connection.
     *
     * @param sql asks for rows behind a key, which are its first columns
     * @param fixed its first arguments; the key and the limit follow
     */
    private void pages(
            Kind kind,
            String sql,
            List<Object> fixed,
            List<Object> start,
            RowMapper<List<String>> values,
            Target to)
            throws IOException {
        List<Object> key = start;
        List<Item> page;
        do {
            var arguments = new ArrayList<>(fixed);
            arguments.addAll(key);
            arguments.add(PAGE);
            page =
                    patiently(
                            () ->
                                    jdbc.query(
                                            sql,
                                            (row, n) ->
                                                    new Item(
                                                            key(row, start.size()),
                                                            values.mapRow(row, n)),
                                            arguments.toArray()));
            for (Item item : page) {
                to.row(kind, item.values);
            }
            key = page.isEmpty() ? key : page.getLast().key;
        } while (page.size() == PAGE);
    }

    /** One page of an export is one question among those of others. */
    private <T> T patiently(Supplier<T> question) {
        for (int i = 1; ; i++) {
            try {
                return gate.ask(question);
            } catch (PostgresGate.BusyException e) {
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
