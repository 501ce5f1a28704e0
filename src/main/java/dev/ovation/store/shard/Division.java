package dev.ovation.store.shard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The number of a shard for each partition; none for an undivided Postgres. */
final class Division {

    static final Division NONE = new Division();

    private final long[] ids;

    Division(long... ids) {
        this.ids = ids;
    }

    boolean exists() {
        return ids.length > 0;
    }

    /** Returns the number of partitions. */
    int count() {
        return ids.length;
    }

    long of(int p) {
        return ids[p];
    }

    Map<Long, List<Integer>> partitions() {
        var found = new LinkedHashMap<Long, List<Integer>>();
        for (int p = 0; p < ids.length; p++) {
            found.computeIfAbsent(ids[p], _ -> new ArrayList<>()).add(p);
        }
        return found;
    }
}
