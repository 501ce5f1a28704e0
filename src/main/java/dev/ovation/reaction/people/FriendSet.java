package dev.ovation.reaction.people;

import dev.ovation.entity.Sha256;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SequencedSet;

/** Friends of a user, in the order of their ids. */
final class FriendSet {

    /** No text in UTF-8 contains this byte. */
    private static final byte END = (byte) 0xff;

    private final SequencedSet<String> ids;
    private @Nullable SetHash hash;

    /**
     * Creates a set.
     *
     * @param ids in the order of the ids; they do not change
     */
    FriendSet(SequencedSet<String> ids) {
        this.ids = ids;
    }

    /** The 32 bytes of a hash. */
    record SetHash(long first, long second, long third, long fourth) {}

    /** Returns a hash of the set; threads that meet compute it twice, with the same result. */
    SetHash hash() {
        SetHash known = hash;
        if (known == null) {
            known = computed();
            hash = known;
        }
        return known;
    }

    private SetHash computed() {
        var digest = Sha256.digest();
        for (String friend : ids) {
            digest.update(friend.getBytes(StandardCharsets.UTF_8));
            digest.update(END);
        }
        var bytes = ByteBuffer.wrap(digest.digest());
        return new SetHash(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
    }

    SequencedSet<String> ids() {
        return ids;
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
