package dev.ovation.reaction.people;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.configuration.RulesInForce;
import dev.ovation.entity.EntityKey;
import dev.ovation.hot.state.EntityState;
import dev.ovation.reaction.people.KeptProfiles.Profile;
import dev.ovation.reaction.people.StoredPeople.GivenReaction;
import dev.ovation.reaction.people.StoredPeople.StoredFriends;
import dev.ovation.reaction.people.StoredPeople.StoredPerson;
import dev.ovation.reaction.view.PeopleQuery;
import dev.ovation.reaction.view.PeopleQuery.FriendOrder;
import dev.ovation.reaction.view.Views;
import dev.ovation.rules.RuleSet;
import dev.ovation.social.SocialChange;
import dev.ovation.store.postgres.PostgresBulkhead;
import dev.ovation.store.shard.Shards;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Reads of people and friends that need no statement. */
class KeptPeopleTest {

    private static final EntityKey CROWDED = new EntityKey("letters", "crowded");
    private static final RulesInForce RULES =
            new RulesInForce(0, "none", "", Instant.EPOCH, RuleSet.EMPTY, Map.of());
    private static final PostgresBulkhead GATE = new PostgresBulkhead(1, 1, Duration.ofSeconds(1));

    private final CountingTable table = new CountingTable();
    private long now;
    private final PeopleReader reader = new PeopleReader(() -> RULES, table, GATE, () -> now);
    private long version = 7;

    @Test
    void anUnchangedCrowdNeedsNoStatement() {
        table.friends.put("viewer", List.of("ann", "ben"));

        read("viewer");
        assertThat(table.statements()).containsExactly("people", "set", "crowd", "profiles");
        read("viewer");
        assertThat(table.statements()).isEmpty();
    }

    @Test
    void aSetOfFriendsIsKeptFor5SecondsFromBeforeTheRead() {
        table.friends.put("viewer", List.of("ann", "ben"));
        table.readingSet = () -> now = TimeUnit.SECONDS.toNanos(4);
        read("viewer");
        table.readingSet = () -> {};
        table.friends.put("viewer", List.of("ann"));
        table.statements();

        now = TimeUnit.SECONDS.toNanos(5) - 1;
        read("viewer");
        assertThat(table.statements()).isEmpty();
        now++;
        read("viewer");
        assertThat(table.statements()).startsWith("set", "crowd");
    }

    @Test
    void aSetThatWasReadDuringAChangeIsNotKept() {
        table.friends.put("viewer", List.of("ann", "ben"));
        table.readingSet = () -> reader.forget(new SocialChange(List.of("viewer", "ann")));
        read("viewer");
        table.readingSet = () -> {};
        table.statements();

        read("viewer");
        assertThat(table.statements()).containsExactly("set");
        read("viewer");
        assertThat(table.statements()).isEmpty();
    }

    @Test
    void aNewStateIsReadAnew() {
        table.friends.put("viewer", List.of("ann", "ben"));
        read("viewer");
        table.statements();

        version++;
        read("viewer");

        assertThat(table.statements()).containsExactly("people", "crowd");
    }

    @Test
    void viewersWithEqualSetsShareTheFriendsFound() {
        table.friends.put("one", List.of("ann", "ben"));
        table.friends.put("equal", List.of("ann", "ben"));
        table.friends.put("another", List.of("annb", "en"));
        read("one");
        table.statements();

        read("equal");
        assertThat(table.statements()).containsExactly("set");
        read("another");
        assertThat(table.statements()).contains("crowd");
    }

    @Test
    void veryManyFriendsStayInPostgresAndAreNotKept() {
        table.friends.put("few", ids(FriendsReader.MANY));
        table.friends.put("many", ids(FriendsReader.MANY + 1));

        read("few");
        assertThat(table.statements()).containsExactly("people", "set", "crowd", "profiles");
        read("few");
        assertThat(table.statements()).isEmpty();
        read("many");
        assertThat(table.statements()).containsExactly("set", "among", "crowd of all");
        read("many");
        assertThat(table.statements()).containsExactly("among", "crowd of all");
    }

    @Test
    void namesAreKeptFor5SecondsFromBeforeTheRead() {
        var profiles = new KeptProfiles(table, GATE, () -> now);
        profiles.of(List.of("ann"));
        table.statements();

        now = TimeUnit.SECONDS.toNanos(5) - 1;
        profiles.of(List.of("ann"));
        assertThat(table.statements()).isEmpty();
        now++;
        profiles.of(List.of("ann"));
        assertThat(table.statements()).containsExactly("profiles");
    }

    @Test
    void theTimeOfAReadCountsForTheAgeOfItsNames() {
        table.reading = () -> now = TimeUnit.SECONDS.toNanos(4);
        var profiles = new KeptProfiles(table, GATE, () -> now);
        profiles.of(List.of("ann"));
        table.reading = () -> {};
        table.statements();

        now = TimeUnit.SECONDS.toNanos(5);
        profiles.of(List.of("ann"));
        assertThat(table.statements()).containsExactly("profiles");
    }

    private void read(String viewer) {
        table.version = version;
        var state = new EntityState(1, version, "op", 1000, List.of(), List.of());
        var views = Map.of(CROWDED, new Views(RULES, CROWDED).view(state));
        reader.of(views, viewer, new PeopleQuery(5, FriendOrder.FIRST, false));
    }

    private static List<String> ids(int count) {
        return IntStream.range(0, count).mapToObj(i -> "friend-" + i).toList();
    }

    /** A table with one crowded entity. */
    private static final class CountingTable extends PeopleTable {

        private final Map<String, List<String>> friends = new HashMap<>();
        private List<String> statements = new ArrayList<>();
        private long version;
        private Runnable reading = () -> {};
        private Runnable readingSet = () -> {};

        CountingTable() {
            super(new JdbcTemplate(), Shards.undivided());
        }

        /** Returns the statements since the last call. */
        private List<String> statements() {
            List<String> all = statements;
            statements = new ArrayList<>();
            return all;
        }

        @Override
        Map<EntityKey, StoredPeople> people(Map<EntityKey, Integer> wanted) {
            statements.add("people");
            return Map.of(
                    CROWDED,
                    new StoredPeople(
                            Views.state(1, version), version, false, List.of(person("zoe"))));
        }

        @Override
        FriendSet friends(String user, int limit) {
            statements.add("set");
            readingSet.run();
            return set(friends.getOrDefault(user, List.of()).stream().limit(limit).toList());
        }

        @Override
        FriendSet friendsAmong(String user, Collection<String> users) {
            statements.add("among");
            return set(List.of());
        }

        @Override
        Map<EntityKey, StoredFriends> friends(FriendSet friends, List<EntityKey> keys) {
            statements.add("crowd");
            return crowd();
        }

        @Override
        Map<EntityKey, StoredFriends> friendsOf(String user, List<EntityKey> keys) {
            statements.add("crowd of all");
            return crowd();
        }

        @Override
        Map<String, Profile> profiles(Collection<String> users) {
            statements.add("profiles");
            reading.run();
            return Map.of();
        }

        private Map<EntityKey, StoredFriends> crowd() {
            return Map.of(
                    CROWDED,
                    new StoredFriends(
                            Views.state(1, version), 1, Map.of("a", 1L), List.of(person("ann"))));
        }

        private static FriendSet set(List<String> ids) {
            return new FriendSet(new LinkedHashSet<>(ids));
        }

        private static StoredPerson person(String user) {
            return new StoredPerson(user, List.of(new GivenReaction("a", 1)));
        }
    }
}
