package dev.ovation.reaction;

import dev.ovation.web.Json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A screen as it is answered: its entities in the order asked, those still the same in short. */
final class ScreenJson {

    private static final byte[] HEAD = "{\"entities\":[".getBytes(StandardCharsets.UTF_8);
    private static final byte[] TAIL = "]}".getBytes(StandardCharsets.UTF_8);
    private static final int BYTES_PER_ENTITY = 256;

    private record Same(String entityId, String version, boolean unchanged) {}

    private ScreenJson() {}

    /**
     * The JSON of a screen.
     *
     * @param views one for each item of the query, in the same order
     */
    static byte[] bytes(EntityQuery query, List<EntityView> views) {
        var out = new ByteArrayOutputStream(BYTES_PER_ENTITY * (1 + views.size()));
        out.writeBytes(HEAD);
        for (int i = 0; i < views.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            EntityView view = views.get(i);
            String version = query.items().get(i).version();
            out.writeBytes(
                    version != null && version.equals(view.version())
                            ? Json.bytes(new Same(view.entity(), version, true))
                            : view.json(query.details()));
        }
        out.writeBytes(TAIL);
        return out.toByteArray();
    }
}
