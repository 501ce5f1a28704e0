package dev.ovation.configuration.season;

import dev.ovation.rules.Availability;
import dev.ovation.rules.Availability.AgeRange;
import dev.ovation.rules.Availability.Audience;
import dev.ovation.rules.NamespaceRules;
import dev.ovation.rules.ReactionDefinition;
import dev.ovation.rules.Traits;
import dev.ovation.web.http.Json;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The reactions of a set that are in season between two edges, for look-ups by audience. An edge is
 * a time at which a season of the set begins or ends. Immutable.
 *
 * <p>Each trait has a bit set of the reactions that each of its values may add; a look-up
 * intersects one bit set of each trait. Values that no audience of the set names are equal, and so
 * are the ages between two ends of ranges.
 */
final class SeasonIndex {

    private static final byte[] HEAD = "{\"reactions\":[".getBytes(StandardCharsets.UTF_8);
    private static final byte[] TAIL = "]}".getBytes(StandardCharsets.UTF_8);

    /**
     * A normal form of a query: equal forms have equal answers in this index.
     *
     * @param age number of the range of ages; 0 for none
     * @param gender null for none that an audience names; country and platform likewise
     */
    record NormalQuery(
            int age,
            @Nullable String gender,
            @Nullable String country,
            @Nullable String platform,
            int limit,
            int offset) {}

    private final Instant from;
    private final Instant until;
    private final List<byte[]> json = new ArrayList<>();
    private final int[] ageEdges;
    private final BitSet[] ages;
    private final Words genders;
    private final Words countries;
    private final Words platforms;

    /** Reactions by the value of one trait. */
    private static final class Words {
        private final Map<String, BitSet> named = new HashMap<>();
        private final BitSet open = new BitSet();

        Words(List<Audience> audiences, Function<Audience, List<String>> words) {
            for (int i = 0; i < audiences.size(); i++) {
                List<String> of = words.apply(audiences.get(i));
                if (of.isEmpty()) {
                    open.set(i);
                }
                for (String word : of) {
                    named.computeIfAbsent(word, _ -> new BitSet()).set(i);
                }
            }
            named.values().forEach(each -> each.or(open));
        }

        @Nullable String normal(@Nullable String word) {
            return word != null && named.containsKey(word) ? word : null;
        }

        BitSet of(@Nullable String word) {
            return word == null ? open : named.getOrDefault(word, open);
        }
    }

    private SeasonIndex(Instant from, Instant until, List<ReactionDefinition> open) {
        this.from = from;
        this.until = until;
        open.forEach(each -> json.add(json(each)));
        List<Audience> audiences = open.stream().map(SeasonIndex::audience).toList();
        genders = new Words(audiences, Audience::gender);
        countries = new Words(audiences, Audience::country);
        platforms = new Words(audiences, Audience::platform);
        ageEdges = ageEdges(audiences);
        ages = new BitSet[ageEdges.length + 2];
        ages[0] = matching(audiences, age -> age == null);
        for (int i = 0; i <= ageEdges.length; i++) {
            int example = i == 0 ? -1 : ageEdges[i - 1];
            ages[i + 1] = matching(audiences, age -> age == null || age.contains(example));
        }
    }

    /** Creates the index of a namespace's set for the time between the edges around an instant. */
    static SeasonIndex of(NamespaceRules rules, Instant now) {
        Instant from = Instant.MIN;
        Instant until = Instant.MAX;
        List<ReactionDefinition> open = new ArrayList<>();
        for (ReactionDefinition each : rules.reactions()) {
            Availability availability = each.available();
            if (availability == null || availability.isOpen(now)) {
                open.add(each);
            }
            for (Instant edge : edges(availability)) {
                if (edge.isAfter(now)) {
                    until = edge.isBefore(until) ? edge : until;
                } else {
                    from = edge.isAfter(from) ? edge : from;
                }
            }
        }
        open.sort(Comparator.comparing(SeasonIndex::end)); // stable: in the set's order otherwise
        return new SeasonIndex(from, until, open);
    }

    private static List<Instant> edges(@Nullable Availability availability) {
        List<Instant> edges = new ArrayList<>();
        if (availability != null && availability.from() != null) {
            edges.add(availability.from());
        }
        if (availability != null && availability.until() != null) {
            edges.add(availability.until());
        }
        return edges;
    }

    /** Permanent reactions have the earliest end, because they come first. */
    private static Instant end(ReactionDefinition reaction) {
        Availability availability = reaction.available();
        Instant until = availability == null ? null : availability.until();
        return until == null ? Instant.MIN : until;
    }

    private static Audience audience(ReactionDefinition reaction) {
        Availability availability = reaction.available();
        Audience audience = availability == null ? null : availability.audience();
        return audience == null ? new Audience(null, List.of(), List.of(), List.of()) : audience;
    }

    /** Returns the ages at which a range begins, or the next age after its end, in order. */
    private static int[] ageEdges(List<Audience> audiences) {
        var edges = new TreeSet<Integer>();
        for (Audience audience : audiences) {
            AgeRange age = audience.age();
            if (age != null && age.min() != null) {
                edges.add(age.min());
            }
            if (age != null && age.max() != null) {
                edges.add(age.max() + 1);
            }
        }
        return edges.stream().mapToInt(Integer::intValue).toArray();
    }

    private interface AgeTest {
        boolean test(@Nullable AgeRange range);
    }

    private static BitSet matching(List<Audience> audiences, AgeTest test) {
        var bits = new BitSet();
        for (int i = 0; i < audiences.size(); i++) {
            bits.set(i, test.test(audiences.get(i).age()));
        }
        return bits;
    }

    /** Returns whether the index is that of an instant. */
    boolean covers(Instant now) {
        return !now.isBefore(from) && now.isBefore(until);
    }

    /** Returns the next edge; {@link Instant#MAX} when there is none. */
    Instant until() {
        return until;
    }

    NormalQuery normal(AudienceQuery query) {
        Traits traits = query.traits();
        int age = 0;
        if (traits.age() != null) {
            age = 1;
            for (int edge : ageEdges) {
                age += traits.age() >= edge ? 1 : 0;
            }
        }
        return new NormalQuery(
                age,
                genders.normal(traits.gender()),
                countries.normal(traits.country()),
                platforms.normal(traits.platform()),
                query.limit(),
                Math.min(query.offset(), json.size()));
    }

    /** Returns the answer to a query, as JSON. */
    byte[] answer(NormalQuery query) {
        var found = (BitSet) ages[query.age].clone();
        found.and(genders.of(query.gender));
        found.and(countries.of(query.country));
        found.and(platforms.of(query.platform));
        var answer = new ByteArrayOutputStream();
        answer.writeBytes(HEAD);
        int before = query.offset;
        int left = query.limit;
        for (int i = found.nextSetBit(0); i >= 0 && left > 0; i = found.nextSetBit(i + 1)) {
            if (before-- > 0) {
                continue;
            }
            if (left-- < query.limit) {
                answer.write(',');
            }
            answer.writeBytes(json.get(i));
        }
        answer.writeBytes(TAIL);
        return answer.toByteArray();
    }

    /** The older service wrote null for an absent member; {@code value} was added later. */
    private static byte[] json(ReactionDefinition reaction) {
        var json = new LinkedHashMap<String, @Nullable Object>();
        json.put("id", reaction.id());
        json.put("short_name", reaction.shortName());
        json.put("type", reaction.type());
        json.put("code", reaction.code());
        json.put("url", reaction.url());
        if (reaction.value() != null) {
            json.put("value", reaction.value());
        }
        return Json.bytes(json);
    }
}
