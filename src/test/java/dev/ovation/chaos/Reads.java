package dev.ovation.chaos;

import dev.ovation.testing.Instance;
import dev.ovation.testing.Instance.Answer;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Reads through a door and judges the answers. All methods return whether an answer came. */
final class Reads {

    private final Random random;
    private final Histories histories;
    private final Figures figures;
    private final Violations violations;

    /** Judges an answer of 200. */
    private interface Judge {
        void judge(JsonNode answer);
    }

    Reads(Random random, Histories histories, Figures figures, Violations violations) {
        this.random = random;
        this.histories = histories;
        this.figures = figures;
        this.violations = violations;
    }

    /** Reads one entity as a user. */
    boolean one(History history, Door door) {
        var query = query(history.place);
        query.put("user_id", history.user);
        Instant asked = Instant.now();
        history.sent();
        try {
            return send(
                    door,
                    "GET",
                    "/reactions?" + Instance.encode(query),
                    null,
                    answer -> shown(history, answer, asked, door));
        } finally {
            history.judged();
        }
    }

    /** Reads several entities on one screen as a user. */
    boolean screen(String user, List<Place> places, Door door) {
        var items = new ArrayList<Map<String, String>>();
        var lastReads = new ArrayList<History.LastRead>();
        var asked = places.stream().map(place -> histories.of(user, place)).toList();
        for (History history : asked) {
            var item = item(history.place);
            var last = random.nextBoolean() ? history.lastRead() : null;
            if (last != null) {
                item.put("version", last.version());
            }
            lastReads.add(last);
            items.add(item);
        }
        Instant at = Instant.now();
        asked.forEach(History::sent);
        try {
            return send(
                    door,
                    "POST",
                    "/reactions/query",
                    screen(items, user),
                    answer -> {
                        for (int i = 0; i < asked.size(); i++) {
                            var entity = answer.at("/entities/" + i);
                            if (entity.has("unchanged") && lastReads.get(i) != null) {
                                String version = entity.at("/version").asString();
                                asked.get(i).read(lastReads.get(i).own(), version, door.name);
                            } else {
                                shown(asked.get(i), entity, at, door);
                            }
                        }
                    });
        } finally {
            asked.forEach(History::judged);
        }
    }

    /** Reads one entity or several anonymously. */
    boolean everybodys(List<Place> places, Door door) {
        long asked = System.nanoTime();
        Instant at = Instant.now();
        if (places.size() == 1) {
            String path = "/reactions?" + Instance.encode(query(places.getFirst()));
            return send(
                    door,
                    "GET",
                    path,
                    null,
                    answer -> everybodys(places.getFirst(), answer, asked, at, door));
        }
        return send(
                door,
                "POST",
                "/reactions/query",
                screen(places.stream().map(Reads::item).toList(), ""),
                answer -> {
                    for (int i = 0; i < places.size(); i++) {
                        everybodys(places.get(i), answer.at("/entities/" + i), asked, at, door);
                    }
                });
    }

    private void shown(History history, JsonNode entity, Instant asked, Door door) {
        expect(history.place, entity, asked, door);
        int own = Answers.own(history.place, entity);
        history.shown(own, Answers.counted(history.place, entity));
        history.read(own, entity.at("/version").asString(""), door.name);
    }

    private void everybodys(Place place, JsonNode entity, long asked, Instant at, Door door) {
        expect(place, entity, at.minus(Audience.BOUND), door);
        histories.audience(place).shown(entity, asked, door.name);
    }

    private void expect(Place place, JsonNode entity, Instant since, Door door) {
        if (!entity.at("/entity_id").asString("").equals(place.entity())) {
            violations.add("%s: asked for %s, answered was %s".formatted(door, place, entity));
        }
        if (!histories.locks(place).mayShow(Answers.isLocked(entity), since)) {
            violations.add("%s: the lock is not that of %s: %s".formatted(door, place, entity));
        }
        histories.audience(place).people(entity, door.name);
    }

    private Map<String, String> query(Place place) {
        var query = new HashMap<>(item(place));
        query.put("details", "" + random.nextBoolean());
        if (random.nextInt(3) == 0) {
            query.put("people", "0");
        }
        return query;
    }

    private static Map<String, String> item(Place place) {
        var item = new HashMap<String, String>();
        item.put("namespace_id", place.space().id());
        item.put("entity_id", place.entity());
        return item;
    }

    private String screen(List<Map<String, String>> items, String viewer) {
        var body = new LinkedHashMap<String, Object>();
        body.put("namespace_id", Place.Space.FREE.id());
        body.put("viewer_id", viewer);
        body.put("entities", items);
        body.put("details", random.nextBoolean());
        if (random.nextInt(3) == 0) {
            body.put("people", Map.of("limit", 0));
        }
        return JsonMapper.shared().writeValueAsString(body);
    }

    private boolean send(Door door, String method, String path, String body, Judge judge) {
        boolean answered = false;
        try {
            Answer answer = door.send(method, path, body);
            if (answer.status() == 200) {
                judge.judge(answer.json());
                answered = true;
            } else if (answer.status() != 503) {
                violations.add("%s: a read was answered by %s".formatted(door, answer));
            }
        } catch (IOException | JacksonException e) {
            // the link or the instance is down
        }
        figures.ended(door, true, answered ? "ok" : "unavailable", answered);
        return answered;
    }
}
