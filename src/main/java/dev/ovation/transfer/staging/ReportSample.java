package dev.ovation.transfer.staging;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.function.Consumer;

/** A member of a report that counts all its items and lists the first of them. */
public final class ReportSample {

    /** Greatest number of listed items. */
    static final int LISTED = 100;

    private ReportSample() {}

    /** Counts one more item and lists it, if it is among the first. */
    public static void add(ObjectNode report, String name, Consumer<ObjectNode> item) {
        ObjectNode noted = in(report, name);
        noted.put("count", noted.path("count").asLong(0) + 1);
        if (noted.withArray("first").size() < LISTED) {
            ObjectNode one = JsonNodeFactory.instance.objectNode();
            item.accept(one);
            noted.withArray("first").add(one);
        }
    }

    /** Returns the current member; empty at the beginning. */
    public static ObjectNode in(ObjectNode report, String name) {
        JsonNode found = report.get(name);
        if (found instanceof ObjectNode noted) {
            return noted;
        }
        ObjectNode noted = report.putObject(name);
        noted.put("count", 0L);
        noted.putArray("first");
        return noted;
    }
}
