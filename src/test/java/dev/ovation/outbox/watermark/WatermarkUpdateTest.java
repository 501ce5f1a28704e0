package dev.ovation.outbox.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;

import org.junit.jupiter.api.Test;

import java.util.List;

class WatermarkUpdateTest {

    @Test
    void writtenUpdatesAreReadBackUnchanged() {
        var keys = List.of(new EntityKey("posts", "a b: c"), new EntityKey("x", "👍"));
        var news =
                List.of(
                        new WatermarkUpdate(0, 1, 0, 377, List.of(), List.of()),
                        new WatermarkUpdate(63, Long.MAX_VALUE, 5, 9, List.of(6L), keys),
                        new WatermarkUpdate(1, 2, 0, Long.MAX_VALUE, List.of(1L, 2L, 3L), keys));
        assertThat(WatermarkUpdate.read(WatermarkUpdate.write(news))).isEqualTo(news);
    }

    @Test
    void aMessageIsALineForEachStep() {
        var update = new WatermarkUpdate(3, 2, 1, 4, List.of(2L, 4L), List.of());
        assertThat(WatermarkUpdate.write(List.of(update))).isEqualTo("3 2 1 4 2,4");
        assertThat(WatermarkUpdate.read("3 2 1 4 2,4")).containsExactly(update);
    }

    @Test
    void anEmptyMessageHoldsNoUpdates() {
        assertThat(WatermarkUpdate.read(WatermarkUpdate.write(List.of()))).isEmpty();
    }
}
