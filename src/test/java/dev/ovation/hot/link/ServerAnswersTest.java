package dev.ovation.hot.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ovation.testing.Wait;

import io.lettuce.core.RedisCommandExecutionException;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Answers of several servers, some of which fail, hang or are slow. */
class ServerAnswersTest {

    /** Long enough that a test which waits for it fails by the time limit of the build. */
    private static final long FOR_EVER = Long.MAX_VALUE / 1_000_000;

    private static final CompletableFuture<String> HANGS = new CompletableFuture<>();

    private final ServerAnswers<Integer> answers = new ServerAnswers<>(FOR_EVER);

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

    /** Otherwise the events of a server that is slower than the others would never be applied. */
    @Test
    void aServerThatAnswersLateHasMoreTimeTheNextTime() throws Exception {
        var late = new CompletableFuture<String>();
        assertThat(await(answer("a"), late)).containsExactly("a");
        late.complete("b");

        var next = new CompletableFuture<String>();
        var both = CompletableFuture.supplyAsync(() -> awaitUnchecked(answer("a"), next));
        long begun = System.nanoTime();
        Wait.until(
                "it is given up, or the time of the others is over",
                () -> both.isDone() || System.nanoTime() - begun > 200_000_000L);
        next.complete("b");
        assertThat(both.get()).containsExactly("a", "b");

        assertThat(await(answer("a"), answer("b"))).containsExactly("a", "b");
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
        var impatient = new ServerAnswers<Integer>(10);
        assertThatThrownBy(() -> impatient.await(servers(HANGS, HANGS)))
                .isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> impatient.await(servers(HANGS)))
                .isInstanceOf(TimeoutException.class);
    }

    @Test
    void aSlotThatTheServerDoesNotServeCostsItsOwnAnswer() {
        for (String code : List.of("MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN")) {
            var refusal = new RedisCommandExecutionException(code + " 5 of a slot");
            assertThat(ServerAnswers.served(List.of(failure(refusal), answer("b"))).join())
                    .containsExactly("b");
            assertThatThrownBy(() -> ServerAnswers.served(List.of(failure(refusal))).join())
                    .isInstanceOf(CompletionException.class)
                    .hasCause(refusal);
        }
        assertThat(ServerAnswers.served(List.of(answer("a"), answer("b"))).join())
                .containsExactly("a", "b");
        assertThat(ServerAnswers.served(List.of()).join()).isEmpty();
    }

    @Test
    void anotherFailureIsOfTheServer() {
        var broken = new RedisCommandExecutionException("WRONGTYPE of a key");
        assertThatThrownBy(() -> ServerAnswers.served(List.of(failure(broken), answer("b"))).join())
                .isInstanceOf(CompletionException.class)
                .hasCause(broken);
    }

    @SafeVarargs
    private final List<String> await(CompletableFuture<String>... servers) throws Exception {
        return answers.await(servers(servers));
    }

    @SafeVarargs
    private final List<String> awaitUnchecked(CompletableFuture<String>... servers) {
        try {
            return await(servers);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @SafeVarargs
    private static LinkedHashMap<Integer, CompletableFuture<String>> servers(
            CompletableFuture<String>... servers) {
        var numbered = new LinkedHashMap<Integer, CompletableFuture<String>>();
        for (CompletableFuture<String> server : servers) {
            numbered.put(numbered.size(), server);
        }
        return numbered;
    }

    private static CompletableFuture<String> answer(String text) {
        return CompletableFuture.completedFuture(text);
    }

    private static CompletableFuture<String> failure(Exception e) {
        return CompletableFuture.failedFuture(e);
    }
}
