package dev.ovation.simulation.app;

import dev.ovation.simulation.Config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.function.Function;

/**
 * A topic, the same for all users.
 *
 * @param id {@code topic_<i>_<j>}: the j-th of the i-th kind in the file
 */
public record Topic(String id, Namespace namespace, Config.Topics kind) {

    /** All topics of a simulation; each namespace is requested once. */
    public static List<Topic> of(Config config, Function<String, Namespace> namespaces) {
        var known = new HashMap<String, Namespace>();
        var topics = new ArrayList<Topic>();
        for (int i = 0; i < config.topics().size(); i++) {
            var kind = config.topics().get(i);
            var namespace = known.computeIfAbsent(kind.namespaceId(), namespaces);
            for (int j = 0; j < kind.count(); j++) {
                topics.add(new Topic("topic_" + i + "_" + j, namespace, kind));
            }
        }
        return topics;
    }
}
