package dev.ovation.chaos;

import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Attributes of a user, as one write brings them.
 *
 * @param age in years; -1 for a write without attributes
 */
record Person(int age, boolean isMember) {

    static final int ADULT = 18;

    static final Person UNKNOWN = new Person(-1, false);

    static Person any(Random random) {
        return random.nextInt(8) == 0
                ? UNKNOWN
                : new Person(random.nextInt(2 * ADULT), random.nextBoolean());
    }

    boolean isAdult() {
        return age >= ADULT;
    }

    /** Members of {@code attributes} in a body. */
    Map<String, Object> attributes() {
        return Map.of(
                "age", age, "roles", isMember ? List.of("guest", "member") : List.of("guest"));
    }
}
