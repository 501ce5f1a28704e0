package dev.ovation.store;

import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.repository.query.Modifying;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Table {@code configuration}: every version that was ever in force; the newest one is in force.
 */
public interface ConfigurationTable extends Repository<ConfigurationTable.Version, Long> {

    /**
     * A stored version.
     *
     * @param version its number, from 1, without gaps
     * @param source description of its source, for people
     * @param hash hash of its source
     * @param content the configuration
     * @param createdAt time of storage
     * @param appliedBy the principal that applied it; null for a start of the service
     */
    @Table("configuration")
    record Version(
            @Id long version,
            String source,
            String hash,
            String content,
            Instant createdAt,
            @Nullable String appliedBy) {}

    /**
     * A configuration to be stored.
     *
     * @param source description of its source, for people
     * @param hash hash of its source, with the part behind {@link #ADDITION} for additions to the
     *     source
     * @param content the configuration
     * @param spellings spellings of its reactions, by key
     * @param appliedBy the principal that applies it; null for a start of the service
     */
    record Draft(
            String source,
            String hash,
            String content,
            Map<String, String> spellings,
            @Nullable String appliedBy) {

        public Draft {
            spellings = Map.copyOf(spellings);
        }
    }

    /** Separates the hash of a source from that of additions to it. */
    String ADDITION = "+";

    /** The last spelling of a reaction. */
    record Spelling(String reaction, String spelling) {}

    /** Returns the number of the newest version; 0 when there is none. */
    @Query("select coalesce(max(version), 0) from configuration")
    long newestVersion();

    /** Returns whether the newest version is this one, by number and content. */
    @Query(
            """
            select coalesce((select (version, hash) = (:version, :hash) from configuration
                             order  by version desc limit 1), true)
            """)
    boolean isNewest(long version, String hash);

    /** Returns the newest version. */
    @Query("select * from configuration order by version desc limit 1")
    Optional<Version> newest();

    /** Returns a version by its number. */
    @Query("select * from configuration where version = :version")
    Optional<Version> version(long version);

    /** Returns whether a source with this hash was ever in force; a hash may have an addition. */
    @Query(
            """
            select exists(select 1 from configuration
                          where  split_part(hash, :addition, 1) = :hash)
            """)
    boolean exists(String hash, String addition);

    /** Blocks new versions of other transactions until this transaction ends. */
    @Modifying
    @Query("lock table configuration in share row exclusive mode")
    void lock();

    /** Stores a version; use {@link #append}. */
    @Modifying
    @Query(
            """
            insert into configuration (version, source, hash, content, applied_by)
            values (:version, :source, :hash, :content, :appliedBy)
            """)
    void insert(
            long version, String source, String hash, String content, @Nullable String appliedBy);

    /** Stores the spellings of reactions; use {@link #append}. */
    @Modifying
    @Query(
            """
            insert into reaction_spelling (reaction, spelling)
            select * from unnest(:reactions, :spellings)
            on conflict (reaction) do update set spelling = excluded.spelling
            """)
    void spell(String[] reactions, String[] spellings);

    /**
     * Stores the version after {@code last}.
     *
     * @return its number; empty when another version follows {@code last} already
     */
    @Transactional
    default Optional<Long> append(Draft draft, long last) {
        lock();
        return newestVersion() == last ? Optional.of(store(draft)) : Optional.empty();
    }

    private long store(Draft draft) {
        long version = newestVersion() + 1;
        insert(version, draft.source(), draft.hash(), draft.content(), draft.appliedBy());
        spell(
                draft.spellings().keySet().toArray(String[]::new),
                draft.spellings().values().toArray(String[]::new));
        return version;
    }

    /** Returns the last spelling of every reaction that was ever configured. */
    @Query("select reaction, spelling from reaction_spelling")
    List<Spelling> allSpellings();

    /** Returns the last spelling of every reaction that was ever configured, by key. */
    default Map<String, String> spellings() {
        return allSpellings().stream()
                .collect(Collectors.toMap(Spelling::reaction, Spelling::spelling));
    }
}
