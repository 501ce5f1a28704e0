package dev.ovation.store;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Table {@code configuration}: every version that was ever in force; the newest is. */
@Repository
public class ConfigurationTable {

    private final JdbcTemplate jdbc;

    ConfigurationTable(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A stored version.
     *
     * @param version its number, from 1, without gaps
     * @param source where it came from, for people
     * @param hash hash of its source
     * @param content the configuration itself
     * @param createdAt when it was stored
     */
    public record Version(
            long version, String source, String hash, String content, Instant createdAt) {}

    /** Returns the number of the newest version; 0 when there is none. */
    public long newestVersion() {
        Long version =
                jdbc.queryForObject(
                        "select coalesce(max(version), 0) from configuration", Long.class);
        return version == null ? 0 : version;
    }

    /** Returns whether the newest version is this one, by number and content. */
    public boolean isNewest(long version, String hash) {
        Boolean newest =
                jdbc.queryForObject(
                        """
                        select coalesce((select (version, hash) = (?, ?) from configuration
                                         order  by version desc limit 1), true)
                        """,
                        Boolean.class,
                        version,
                        hash);
        return Boolean.TRUE.equals(newest);
    }

    /** Returns the newest version. */
    public Optional<Version> newest() {
        return jdbc
                .query(
                        """
                        select version, source, hash, content, created_at
                        from   configuration
                        order  by version desc
                        limit  1
                        """,
                        (row, _) ->
                                new Version(
                                        row.getLong(1),
                                        row.getString(2),
                                        row.getString(3),
                                        row.getString(4),
                                        row.getTimestamp(5).toInstant()))
                .stream()
                .findFirst();
    }

    private boolean everInForce(String hash) {
        return !jdbc.queryForList(
                        "select 1 from configuration where hash = ? limit 1", Integer.class, hash)
                .isEmpty();
    }

    /**
     * Stores a new version after all others.
     *
     * @param spellings how its reactions are spelled, by key
     * @param onlyNew whether to do nothing when a source with this hash was ever in force
     * @return its number; empty when nothing was done
     */
    @Transactional
    public Optional<Long> append(
            String source,
            String hash,
            String content,
            Map<String, String> spellings,
            boolean onlyNew) {
        jdbc.execute("lock table configuration in share row exclusive mode");
        if (onlyNew && everInForce(hash)) {
            return Optional.empty();
        }
        long version = newestVersion() + 1;
        jdbc.update(
                "insert into configuration (version, source, hash, content) values (?, ?, ?, ?)",
                version,
                source,
                hash,
                content);
        Set<Map.Entry<String, String>> entries = spellings.entrySet();
        jdbc.update(
                """
                insert into reaction_spelling (reaction, spelling)
                select * from unnest(?, ?)
                on conflict (reaction) do update set spelling = excluded.spelling
                """,
                Columns.texts(entries, Map.Entry::getKey),
                Columns.texts(entries, Map.Entry::getValue));
        return Optional.of(version);
    }

    /** Returns how every reaction that was ever configured was last spelled, by key. */
    public Map<String, String> spellings() {
        var spellings = new HashMap<String, String>();
        jdbc.query(
                "select reaction, spelling from reaction_spelling",
                row -> {
                    spellings.put(row.getString(1), row.getString(2));
                });
        return spellings;
    }
}
