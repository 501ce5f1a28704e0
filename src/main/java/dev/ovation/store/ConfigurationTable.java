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
import java.util.function.Function;
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
     */
    @Table("configuration")
    record Version(
            @Id long version, String source, String hash, String content, Instant createdAt) {}

    /**
     * A version to store.
     *
     * @param source description of its source, for people
     * @param hash hash of its source; what follows {@link #ADDITION} does not belong to the source
     * @param content the configuration
     * @param spellings spellings of its reactions, by key
     */
    record Draft(String source, String hash, String content, Map<String, String> spellings) {}

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
            insert into configuration (version, source, hash, content)
            values (:version, :source, :hash, :content)
            """)
    void insert(long version, String source, String hash, String content);

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
     * Stores a new version after all others.
     *
     * @param spellings spellings of its reactions, by key
     * @param onlyNew whether to store nothing if a source with this hash was ever in force
     * @return its number; empty when nothing was stored
     */
    @Transactional
    default Optional<Long> append(
            String source,
            String hash,
            String content,
            Map<String, String> spellings,
            boolean onlyNew) {
        lock();
        if (onlyNew && exists(hash, ADDITION)) {
            return Optional.empty();
        }
        long version = newestVersion() + 1;
        insert(version, source, hash, content);
        spell(spellings.keySet().toArray(String[]::new), spellings.values().toArray(String[]::new));
        return Optional.of(version);
    }

    /**
     * Stores a version that is made from the newest one. No other version is stored meanwhile.
     *
     * @param next makes the version; null for none
     * @return its number; empty when nothing was stored
     */
    @Transactional
    default Optional<Long> appendTo(Function<Optional<Version>, @Nullable Draft> next) {
        lock();
        Draft draft = next.apply(newest());
        return draft == null
                ? Optional.empty()
                : append(draft.source, draft.hash, draft.content, draft.spellings, false);
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
