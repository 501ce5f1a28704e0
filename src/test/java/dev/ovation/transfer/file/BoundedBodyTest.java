package dev.ovation.transfer.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;

class BoundedBodyTest {

    @Test
    void mayBeAsLargeAsTheLimit() throws Exception {
        assertThat(body(377, 377).readAllBytes()).hasSize(377);
        assertThat(body(1, 1).read()).isZero();
    }

    @Test
    void mayNotBeLarger() {
        assertThatThrownBy(() -> body(378, 377).readAllBytes())
                .isInstanceOf(TooMuchException.class)
                .hasMessage("has more than 377 bytes, uncompressed");
        assertThatThrownBy(() -> body(1, 0).read()).isInstanceOf(TooMuchException.class);
    }

    private static BoundedBody body(int size, int limit) {
        return new BoundedBody(new ByteArrayInputStream(new byte[size]), limit);
    }
}
