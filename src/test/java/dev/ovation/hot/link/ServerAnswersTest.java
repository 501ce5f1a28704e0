package dev.ovation.hot.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Answers of several servers, some of which fail or hang. */
class ServerAnswersTest {

    /** Long enough that a test which waits for it fails by the time limit of the build. */
    private static final long FOR_EVER = Long.MAX_VALUE / 1_000_000;

    private static final CompletableFuture<String> HANGS = new CompletableFuture<>();

    @Test
    void allAnswersAreReturnedInTheOrderOfTheServers() throws Exception {
        assertThat(await(answer("a"), answer("b"), answer("c"))).containsExactly("a", "b", "c");
        assertThat(await(answer("a"))).containsExactly("a");
        assertThat(await()).isEmpty();
    }

    @Test
    void aServerThatHangsDelaysTheOthersByAMoment() throws Exception {
        assertThat(await(HANGS, answer("b"))).containsExactly("b");
        assertThat(await(answer("a"), HANGS)).containsExactly("a");
    }

    @Test
    void aServerThatFailsCostsItsOwnAnswer() throws Exception {
        assertThat(await(failure(new IllegalStateException("down")), answer("b")))
                .containsExactly("b");
    }

    @Test
    void theFailureIsThrownWhenNoServerAnswers() {
        var broken = new IllegalStateException("broken");
        assertThatThrownBy(() -> await(failure(broken)))
                .isInstanceOf(ExecutionException.class)
                .hasCause(broken);
        assertThatThrownBy(() -> await(failure(broken), failure(broken)))
                .isInstanceOf(ExecutionException.class)
                .hasCause(broken);
        var down = new RedisUnavailableException("down");
        assertThatThrownBy(() -> await(failure(down), failure(down))).isSameAs(down);
    }

    @Test
    void aTimeOutIsThrownWhenAllServersHang() {
        assertThatThrownBy(() -> ServerAnswers.await(List.of(HANGS, HANGS), 10))
                .isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> ServerAnswers.await(List.of(HANGS), 10))
                .isInstanceOf(TimeoutException.class);
    }

    @SafeVarargs
    private static List<String> await(CompletableFuture<String>... servers) throws Exception {
        return ServerAnswers.await(List.of(servers), FOR_EVER);
    }

    private static CompletableFuture<String> answer(String text) {
        return CompletableFuture.completedFuture(text);
    }

    private static CompletableFuture<String> failure(Exception e) {
        return CompletableFuture.failedFuture(e);
    }
}
