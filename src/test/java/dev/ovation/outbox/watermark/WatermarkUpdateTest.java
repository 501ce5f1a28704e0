package dev.ovation.outbox.watermark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class WatermarkUpdateTest {

    @Test
    void writtenUpdatesAreReadBackUnchanged() {
        var news =
                List.of(
                        new WatermarkUpdate(0, 1, 0, 377, List.of()),
                        new WatermarkUpdate(63, Long.MAX_VALUE, 5, 9, List.of(6L)),
                        new WatermarkUpdate(1, 2, 0, Long.MAX_VALUE, List.of(1L, 2L, 3L)));
        assertThat(WatermarkUpdate.read(WatermarkUpdate.write(news))).isEqualTo(news);
    }

    @Test
    void aMessageIsALineForEachStep() {
        assertThat(WatermarkUpdate.write(List.of(new WatermarkUpdate(3, 2, 1, 4, List.of(2L, 4L)))))
                .isEqualTo("3 2 1 4 2,4");
    }

    @Test
    void anEmptyMessageHoldsNoUpdates() {
        assertThat(WatermarkUpdate.read(WatermarkUpdate.write(List.of()))).isEmpty();
    }
}
