package dev.ovation.transfer.file;

import dev.ovation.entity.AvatarUrl;
import dev.ovation.entity.Ids;
import dev.ovation.rules.ReactionKey;
import dev.ovation.web.http.Json;
import dev.ovation.web.problem.Problems;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file of named columns: CSV with a header, or NDJSON. */
public final class TableFile implements ImportFile {

    private static final Pattern STATED = Pattern.compile("# count: (\\d{1,18})");

    private final FileKind kind;
    private final Lines lines;
    private final @Nullable String namespace;
    private final long latest;
    private final @Nullable Map<String, Integer> header;

    /** The values of a row by column; null for an absent value. */
    private interface Fields {
        @Nullable String text(String column) throws BadRowException;
    }

    /**
     * Creates a file and reads its header at once.
     *
     * @param namespace namespace of reactions that name none
     * @param latest latest time that a reaction may have, in microseconds since 1970: later
     *     reactions come after the existing ones
     * @throws dev.ovation.web.problem.ProblemException 400 when the header is invalid
     */
    public TableFile(
            FileKind kind, Lines lines, boolean json, @Nullable String namespace, long latest)
            throws IOException {
        this.kind = kind;
        this.lines = lines;
        this.namespace = namespace;
        this.latest = latest;
        this.header = json ? null : header();
    }

    private Map<String, Integer> header() throws IOException {
        var columns = new HashMap<String, Integer>();
        try {
            List<String> names = lines.next() ? Csv.split(lines.text()) : List.of();
            for (int i = 0; i < names.size(); i++) {
                columns.put(names.get(i).strip(), i);
            }
        } catch (BadRowException e) {
            throw Problems.malformed("body", "has a first line that " + e.problem());
        }
        for (String column : kind.columns) {
            boolean given =
                    column.equals(FileKind.AVATAR)
                            || (column.equals("namespace_id") && namespace != null);
            if (!columns.containsKey(column) && !given) {
                throw Problems.malformed(
                        "body", "must begin with the line " + String.join(",", kind.columns));
            }
        }
        return columns;
    }

    @Override
    public void readInto(Sink sink) throws IOException {
        while (lines.next()) {
            try {
                String line = lines.text();
                Matcher stated = STATED.matcher(line);
                if (stated.matches()) {
                    sink.stated(Long.parseLong(stated.group(1)));
                } else if (!line.isBlank()) {
                    read(line, sink);
                }
            } catch (BadRowException e) {
                sink.bad(lines.number(), e.problem());
            }
        }
    }

    private void read(String line, Sink sink) throws IOException, BadRowException {
        if (header != null) {
            List<String> values = Csv.split(line);
            if (values.size() != header.size()) {
                throw new BadRowException(
                        "has %d fields, the header has %d".formatted(values.size(), header.size()));
            }
            Map<String, Integer> columns = header;
            sink.row(
                    row(
                            column -> {
                                Integer place = columns.get(column);
                                return place == null ? null : values.get(place);
                            }));
            return;
        }
        JsonNode json = json(line);
        if (json.size() == 1 && json.path("count").canConvertToExactIntegral()) {
            sink.stated(json.path("count").longValue());
        } else {
            sink.row(row(column -> text(column, json.get(column))));
        }
    }

    private static JsonNode json(String line) throws IOException, BadRowException {
        try {
            JsonNode json = Json.read(line.getBytes(StandardCharsets.UTF_8));
            if (json.isObject()) {
                return json;
            }
        } catch (JacksonException e) {
            throw new BadRowException(Json.problem(e));
        }
        throw new BadRowException("is not a JSON object");
    }

    private static @Nullable String text(String column, @Nullable JsonNode value)
            throws BadRowException {
        if (value == null || value.isNull()) {
            return null;
        }
        if (value.isString()) {
            return value.stringValue();
        }
        if (column.equals("reacted_at") && value.isIntegralNumber()) {
            return value.asString();
        }
        throw new BadRowException(column + " must be a string");
    }

    private FileRow row(Fields fields) throws BadRowException {
        String user = id(fields, "user_id");
        return switch (kind.target) {
            case REACTIONS ->
                    new FileRow(
                            namespace(fields),
                            id(fields, "entity_id"),
                            user,
                            reaction(fields),
                            time(fields),
                            null,
                            removes(fields),
                            null);
            case USERS -> profile(user, fields);
            case FRIENDS -> new FileRow(null, null, user, friend(user, fields), 0);
        };
    }

    private static FileRow profile(String user, Fields fields) throws BadRowException {
        String avatar = fields.text(FileKind.AVATAR);
        if (avatar == null || avatar.isEmpty()) {
            String name = checked("display_name", fields, Ids.MAX_BYTES);
            return new FileRow(null, null, user, name, 0);
        }
        if (!AvatarUrl.isValid(avatar)) {
            throw new BadRowException(FileKind.AVATAR + " " + AvatarUrl.VIOLATION);
        }
        String name = fields.text("display_name");
        boolean none = name == null || name.isEmpty();
        return new FileRow(
                null,
                null,
                user,
                none ? "" : checked("display_name", fields, Ids.MAX_BYTES),
                0,
                avatar,
                false,
                null);
    }

    private String namespace(Fields fields) throws BadRowException {
        String own = fields.text("namespace_id");
        boolean none = own == null || own.isEmpty();
        String id = none && namespace != null ? namespace : given(fields, "namespace_id");
        if (!Ids.isNamespace(id)) {
            throw new BadRowException(
                    "namespace_id must be 1 to 64 letters, digits, dots, underscores or hyphens");
        }
        return id;
    }

    private long time(Fields fields) throws BadRowException {
        long micros = FileTimes.micros(given(fields, "reacted_at"));
        if (micros > latest) {
            throw new BadRowException("reacted_at is in the future");
        }
        return micros;
    }

    /** Reads the optional column {@code op}. */
    private static boolean removes(Fields fields) throws BadRowException {
        String op = fields.text("op");
        if (op == null || op.isEmpty() || op.equals("add")) {
            return false;
        }
        if (op.equals("remove")) {
            return true;
        }
        throw new BadRowException("op must be add or remove");
    }

    private static String reaction(Fields fields) throws BadRowException {
        String key = ReactionKey.of(id(fields, "reaction_id"));
        return checked("reaction_id", _ -> key, Ids.MAX_BYTES);
    }

    private static String friend(String user, Fields fields) throws BadRowException {
        String friend = id(fields, "friend_id");
        if (friend.equals(user)) {
            throw new BadRowException("friend_id must not be the user's own id");
        }
        return friend;
    }

    private static String id(Fields fields, String column) throws BadRowException {
        return checked(column, fields, Ids.MAX_BYTES);
    }

    private static String checked(String column, Fields fields, int maxBytes)
            throws BadRowException {
        String value = given(fields, column);
        String problem = value.isEmpty() ? "must not be empty" : Ids.problem(value, maxBytes);
        if (problem != null) {
            throw new BadRowException(column + " " + problem);
        }
        return value;
    }

    private static String given(Fields fields, String column) throws BadRowException {
        String value = fields.text(column);
        if (value == null) {
            throw new BadRowException(column + " is missing");
        }
        return value;
    }
}
