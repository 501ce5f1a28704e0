package dev.ovation.reaction.people;

import dev.ovation.entity.Sha256;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * All friends of a user.
 *
 * @param name the same for the same friends, and another one for others
 */
record FriendSet(Set<String> ids, String name) {

    static final FriendSet NONE = of(List.of());

    /** No text in UTF-8 contains this byte. */
    private static final byte END = (byte) 0xff;

    /**
     * Creates a set.
     *
     * @param friends each once, always in the same order
     */
    static FriendSet of(List<String> friends) {
        var digest = Sha256.digest();
        for (String friend : friends) {
            digest.update(friend.getBytes(StandardCharsets.UTF_8));
            digest.update(END);
        }
        return new FriendSet(new HashSet<>(friends), HexFormat.of().formatHex(digest.digest()));
    }

    boolean isEmpty() {
        return ids.isEmpty();
    }

    boolean has(String user) {
        return ids.contains(user);
    }
}
