package dev.ovation.hot.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ovation.entity.Counter;
import dev.ovation.entity.EntityKey;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

class EventTest {

    private final Map<String, String> fields =
            new HashMap<>(
                    Map.ofEntries(
                            Map.entry("s", "1"),
                            Map.entry("op", "op2"),
                            Map.entry("base", "op1"),
                            Map.entry("n", "posts"),
                            Map.entry("e", "a:b"),
                            Map.entry("u", "ann"),
                            Map.entry("bv", "41"),
                            Map.entry("v", "42"),
                            Map.entry("add", "👍🏽"),
                            Map.entry("rem", "👎\u001f1"),
                            Map.entry(
                                    "cnt",
                                    "👎\u001f0\u001f1\u001f2\u001f👍🏽\u001f7\u001f3\u001f5000"),
                            Map.entry("at", "5000"),
                            Map.entry("cfg", "9")));

    @Test
    void isOneFieldOfItsEntryWithMembersByName() {
        assertThat(
                        Event.members(
                                Map.of(
                                        Event.FIELD,
                                        "s\u001e1\u001eadd\u001e\u001ezz\u001ea\u001fb")))
                .isEqualTo(Map.of("s", "1", "add", "", "zz", "a\u001fb"));
        assertThat(Event.members(Map.of(Event.FIELD, "s\u001e1\u001erem\u001e")))
                .isEqualTo(Map.of("s", "1", "rem", ""));
        assertThat(Event.members(Map.of(Event.FIELD, "s\u001e1\u001ecut")))
                .isEqualTo(Map.of("s", "1"));
        assertThat(Event.members(Map.of("s", "1"))).isEmpty();
    }

    @Test
    void isReadFromAnEntry() {
        assertThat(Event.read(12, fields))
                .isEqualTo(
                        new Event(
                                12,
                                "op2",
                                "op1",
                                new EntityKey("posts", "a:b"),
                                "ann",
                                41,
                                42,
                                List.of("👍🏽"),
                                List.of("👎", "1"),
                                List.of(
                                        new Counter("👎", 0, 1, 2),
                                        new Counter("👍🏽", 7, 3, 5000)),
                                5000,
                                9,
                                null));
    }

    @Test
    void mayCarryAnIdempotencyKeyAndTheStateAfterIt() {
        fields.putAll(
                Map.of("ik", "key", "ih", "hash", "st", "❤️\u001f1\u001f2\u001f3", "own", ""));

        assertThat(Event.read(12, fields).keyed())
                .isEqualTo(
                        new Event.Keyed(
                                "key",
                                "hash",
                                List.of(new Counter("❤️", 1, 2, 3)),
                                List.of(),
                                false));
        fields.put("lk", "1");
        assertThat(Event.read(12, fields).keyed().locked()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"op", "base", "n", "e", "u", "bv", "v", "add", "rem", "cnt", "at", "cfg"})
    void isRefusedWithoutOneOfItsFields(String field) {
        fields.remove(field);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Event.read(12, fields))
                .withMessageContaining(field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bv", "v", "at", "cfg"})
    void isRefusedWithoutAWholeNumber(String field) {
        fields.put(field, "4.5");

        assertThatIllegalArgumentException().isThrownBy(() -> Event.read(12, fields));
    }
}
