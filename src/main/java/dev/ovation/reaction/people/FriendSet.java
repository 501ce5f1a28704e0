package dev.ovation.reaction.people;

import dev.ovation.entity.Sha256;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SequencedSet;

/**
 * Friends of a user.
 *
 * @param ids in the order of the ids
 */
record FriendSet(SequencedSet<String> ids) {

    /** No text in UTF-8 contains this byte. */
    private static final byte END = (byte) 0xff;

    /** The 32 bytes of a hash. */
    record SetHash(long first, long second, long third, long fourth) {}

    /** Returns a hash of the set. */
    SetHash hash() {
        var digest = Sha256.digest();
        for (String friend : ids) {
            digest.update(friend.getBytes(StandardCharsets.UTF_8));
            digest.update(END);
        }
        var bytes = ByteBuffer.wrap(digest.digest());
        return new SetHash(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
    }

    boolean isEmpty() {
        return ids.isEmpty();
    }

    int size() {
        return ids.size();
    }

    boolean has(String user) {
        return ids.contains(user);
    }
}
