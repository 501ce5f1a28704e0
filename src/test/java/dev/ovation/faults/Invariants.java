package dev.ovation.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.ovation.hot.state.RedisSchema;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;

import org.springframework.jdbc.core.JdbcTemplate;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Compares the hot hashes with the tables, field by field, without concurrent writes. */
public final class Invariants {

    public static final String COUNTS_UNEQUAL_ROWS =
            """
            select namespace, entity, reaction, count, n
            from   named_counter
            full   join (select namespace, entity, reaction, count(*) as n
                         from   named_reaction group by 1, 2, 3) r
                   using (namespace, entity, reaction)
            where  count is distinct from n
            union all
            select namespace, entity, 'people', people, n
            from   entity e
            left   join (select namespace, entity, count(distinct user_id) as n
                         from   named_reaction group by 1, 2) r
                   using (namespace, entity)
            where  people <> coalesce(n, 0)
            """;

    public static final String EXCLUSIVE_TOGETHER =
            """
            select namespace, entity, user_id from named_reaction
            where  namespace = '%s' and reaction in ('👍', '👎')
            group  by 1, 2, 3 having count(*) > 1
            """
                    .formatted(Stage.POSTS);

    public static final String TOO_MANY_KINDS =
            """
            select namespace, entity from named_counter where namespace = '%s'
            group  by 1, 2 having count(*) > %d
            """
                    .formatted(Stage.POSTS, Stage.POSTS_LIMIT);

    /** Bits of a user in a filter, and users whose bits one script looks at. */
    private static final int BITS = 4;

    private static final int USERS_AT_ONCE = 1000;

    /** Returns the number, from 1, of the first given bit that is not set; 0 when all are. */
    private static final String MISSING_BIT =
            """
            for i, bit in ipairs(ARGV) do
              if redis.call('GETBIT', KEYS[1], bit) == 0 then
                return i
              end
            end
            return 0
            """;

    /** The answers of PTTL for a key without a time to live, and for a missing key. */
    private static final long FOR_EVER = -1;

    private static final long GONE = -2;

    /** Bytes of the header of a filter. */
    private static final long FILTER_HEADER = 128;

    private final JdbcTemplate sql;
    private final RedisCommands<String, String> redis;

    public Invariants(JdbcTemplate sql, RedisCommands<String, String> redis) {
        this.sql = sql;
        this.redis = redis;
    }

    public void assertRedisEqualsPostgres() {
        var stored = Stored.in(sql);
        for (String key : redis.keys("{*}:[cu]:*")) {
            Map<String, String> hash = redis.hgetall(key);
            if (hash.isEmpty() || !hash.get("epoch").equals(stored.epoch(key))) {
                continue; // evicted meanwhile, or of an older epoch, which no reader uses
            }
            long ttl = redis.pttl(key);
            if (ttl == GONE) {
                continue; // expired after it was read
            }
            assertThat(ttl).as("time to live of %s, which is clean", key).isNotEqualTo(FOR_EVER);
            if (key.contains("}:c:")) {
                assertCounts(key, hash, stored);
            } else {
                assertUsers(key, hash, stored.users(key));
                assertFilter(redis, key, hash, stored.users(key).keySet());
            }
        }
    }

    private static void assertCounts(String key, Map<String, String> hash, Stored stored) {
        var hot = new TreeMap<String, String>();
        hash.forEach(
                (field, value) -> {
                    if (field.startsWith("r:")) {
                        hot.put(field.substring(2), value);
                    }
                });
        assertThat(hot).as(key).isEqualTo(stored.counters(key));
        String lock = hash.containsKey(RedisSchema.LOCK) ? ' ' + hash.get(RedisSchema.LOCK) : "";
        assertThat(hash.get("version") + ' ' + hash.get("op") + ' ' + hash.get("people") + lock)
                .as("head of %s", key)
                .isEqualTo(stored.head(key));
    }

    private static void assertUsers(
            String key, Map<String, String> hash, Map<String, Set<String>> stored) {
        hash.forEach(
                (field, value) -> {
                    if (field.startsWith("u:")) {
                        var reactions = new ArrayList<>(RedisSchema.split(value));
                        reactions.removeFirst();
                        reactions.removeIf(String::isEmpty);
                        assertThat(reactions)
                                .as("%s %s", key, field)
                                .containsExactlyInAnyOrderElementsOf(
                                        stored.getOrDefault(field.substring(2), Set.of()));
                    }
                });
        if (hash.get("complete").equals("1")) {
            assertThat(hash.keySet())
                    .as(key)
                    .containsAll(stored.keySet().stream().map(user -> "u:" + user).toList());
        }
    }

    /** A complete filter has all 4 bits of each user with a reaction. */
    private static void assertFilter(
            RedisCommands<String, String> redis,
            String key,
            Map<String, String> hash,
            Set<String> stored) {
        String filter = key.replaceFirst("}:u:", "}:b:");
        String[] header = redis.getrange(filter, 0, FILTER_HEADER - 1).strip().split(" ");
        if (header.length != 7
                || !header[1].equals("c")
                || !header[2].equals(hash.get("epoch"))
                || !header[6].equals(hash.get("filter"))) {
            return; // there is none, or it proves nothing
        }
        long words = Long.parseLong(header[3]);
        assertThat(redis.strlen(filter)).as(filter).isEqualTo(FILTER_HEADER + 8 * words);
        assertThat(redis.pttl(filter)).as("time to live of %s", filter).isNotEqualTo(FOR_EVER);
        List<String> users = List.copyOf(stored);
        for (int from = 0; from < users.size(); from += USERS_AT_ONCE) {
            var some = users.subList(from, Math.min(from + USERS_AT_ONCE, users.size()));
            String[] bits = some.stream().flatMap(user -> bits(user, words)).toArray(String[]::new);
            long missing =
                    redis.eval(MISSING_BIT, ScriptOutputType.INTEGER, new String[] {filter}, bits);
            if (missing > 0) {
                fail("%s lacks a bit of %s", filter, some.get((int) (missing - 1) / BITS));
            }
        }
    }

    /** Returns the offsets of the user's bits in a filter that has this number of words. */
    private static Stream<String> bits(String user, long words) {
        byte[] digest = sha1(user);
        long word = (ByteBuffer.wrap(digest).getInt() & 0xffffffffL) % words;
        return IntStream.range(4, 4 + BITS)
                .map(i -> digest[i] & 63)
                .mapToLong(n -> 8 * (FILTER_HEADER + 8 * word + n / 8) + 7 - n % 8)
                .mapToObj(Long::toString);
    }

    private static byte[] sha1(String user) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(user.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The tables, read once: epochs by partition, all else by {@code namespace:entity}. */
    private record Stored(
            Map<String, String> epochs,
            Map<String, String> heads,
            Map<String, Map<String, String>> counters,
            Map<String, Map<String, Set<String>>> users) {

        static Stored in(JdbcTemplate sql) {
            var stored =
                    new Stored(new HashMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>());
            sql.query(
                    "select p, epoch from partition",
                    row -> {
                        stored.epochs.put(row.getString(1), row.getString(2));
                    });
            sql.query(
                    """
                    select namespace || ':' || entity, concat_ws(' ', version, last_op, people, lock)
                    from   entity
                    """,
                    row -> {
                        stored.heads.put(row.getString(1), row.getString(2));
                    });
            sql.query(
                    """
                    select namespace || ':' || entity, reaction,
                           concat_ws(?, count, first_at, last_at)
                    from   named_counter
                    """,
                    row -> {
                        stored.counters
                                .computeIfAbsent(row.getString(1), _ -> new HashMap<>())
                                .put(row.getString(2), row.getString(3));
                    },
                    RedisSchema.SEPARATOR);
            sql.query(
                    """
                    select e.namespace || ':' || e.entity, r.user_id, x.name, r.form
                    from   user_reaction r
                    join   entity e on e.p = r.p and e.no = r.entity_no
                    join   reaction_name x on x.no = r.reaction
                    """,
                    row -> {
                        stored.users
                                .computeIfAbsent(row.getString(1), _ -> new HashMap<>())
                                .computeIfAbsent(row.getString(2), _ -> new HashSet<>())
                                .add(RedisSchema.withForm(row.getString(3), row.getString(4)));
                    });
            return stored;
        }

        String epoch(String key) {
            return epochs.get(key.substring(1, key.indexOf('}')));
        }

        String head(String key) {
            return heads.getOrDefault(entity(key), "0  0");
        }

        Map<String, String> counters(String key) {
            return counters.getOrDefault(entity(key), Map.of());
        }

        Map<String, Set<String>> users(String key) {
            return users.getOrDefault(entity(key), Map.of());
        }

        private static String entity(String key) {
            return key.split(":", 3)[2];
        }
    }
}
