package dev.ovation.outbox.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class CursorNewsTest {

    @Test
    void whatIsReadIsWhatWasWritten() {
        var news =
                List.of(
                        new CursorNews(0, 1, 0, 377, List.of()),
                        new CursorNews(63, Long.MAX_VALUE, 5, 9, List.of(6L)),
                        new CursorNews(1, 2, 0, Long.MAX_VALUE, List.of(1L, 2L, 3L)));
        assertThat(CursorNews.read(CursorNews.write(news))).isEqualTo(news);
    }

    @Test
    void aMessageIsALineForEachStep() {
        assertThat(CursorNews.write(List.of(new CursorNews(3, 2, 1, 4, List.of(2L, 4L)))))
                .isEqualTo("3 2 1 4 2,4");
    }

    @Test
    void nothingIsSaidInNoLine() {
        assertThat(CursorNews.read(CursorNews.write(List.of()))).isEmpty();
    }
}
