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
 * @param ordered each once, always in the same order
 * @param ids the same
 */
record FriendSet(List<String> ordered, Set<String> ids) {

    static final FriendSet NONE = new FriendSet(List.of());

    /** No text in UTF-8 contains this byte. */
    private static final byte END = (byte) 0xff;

    FriendSet(List<String> ordered) {
        this(ordered, new HashSet<>(ordered));
    }

    /** Returns a name, which is the same for the same friends, and another one for others. */
    String name() {
        var digest = Sha256.digest();
        for (String friend : ordered) {
            digest.update(friend.getBytes(StandardCharsets.UTF_8));
            digest.update(END);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    boolean isEmpty() {
        return ids.isEmpty();
    }

    boolean has(String user) {
        return ids.contains(user);
    }
}
