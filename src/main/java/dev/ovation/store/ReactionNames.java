package dev.ovation.store;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Table {@code reaction_name}: the numbers of reactions. */
@Repository
public class ReactionNames {

    /** Greatest number that an import can give; the others remain for events. */
    static final int IMPORTS = 30_000;

    private final JdbcTemplate jdbc;

    ReactionNames(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Returns the numbers of reactions, and gives a number to each reaction without one. That locks
     * the table until the transaction ends, so each number is given once, and a failed transaction
     * uses up none. Locks on idempotency keys must come after this lock.
     *
     * @throws DataIntegrityViolationException when all 32,767 numbers are given
     */
    @Transactional
    public Map<String, Integer> numbers(Collection<String> names) {
        List<String> wanted = List.copyOf(names);
        var numbers = find(wanted);
        if (numbers.keySet().containsAll(wanted)) {
            return numbers;
        }
        jdbc.execute("lock table reaction_name in share row exclusive mode");
        jdbc.update(
                """
                insert into reaction_name (no, name)
                select (select coalesce(max(no), 0) from reaction_name) + row_number() over (), name
                from  (select distinct name from unnest(?) as k (name)
                       where  not exists (select from reaction_name x where x.name = k.name)
                       order  by name) k
                """,
                Columns.texts(wanted));
        return find(wanted);
    }

    /**
     * Gives numbers to the reactions of an import, like {@link #numbers}, but up to 30,000. An
     * import cannot use up all numbers: a file with wrong columns may name a reaction for each
     * user.
     *
     * @throws DataIntegrityViolationException when a number would exceed 30,000; then none is given
     */
    @Transactional
    public void numberImported(Collection<String> names) {
        if (numbers(names).values().stream().anyMatch(no -> no > IMPORTS)) {
            throw new DataIntegrityViolationException(
                    "the import has more reactions than numbers are left for imports");
        }
    }

    /** Returns the number of a reaction; 0 when it has none. */
    public int numberOf(String name) {
        return find(List.of(name)).getOrDefault(name, 0);
    }

    /** Returns the number that was given last; 0 before the first. */
    public int last() {
        Integer last =
                jdbc.queryForObject(
                        "select coalesce(max(no), 0) from reaction_name", Integer.class);
        return last == null ? 0 : last;
    }

    private Map<String, Integer> find(Collection<String> names) {
        var numbers = new HashMap<String, Integer>();
        jdbc.query(
                "select name, no from reaction_name where name = any (?)",
                row -> {
                    numbers.put(row.getString(1), row.getInt(2));
                },
                Columns.texts(names));
        return numbers;
    }
}
