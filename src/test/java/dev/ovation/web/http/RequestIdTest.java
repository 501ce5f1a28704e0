package dev.ovation.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.springframework.mock.web.MockHttpServletRequest;

import java.util.concurrent.atomic.AtomicReference;

class RequestIdTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";
    private static final String MADE = "[0-9a-f]{32}";

    private final MockHttpServletRequest request = new MockHttpServletRequest();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7",
                "3f0c2a9e-1b7d-4f3e-9c55-0a8d6b7e1f22",
                "Root=1-67891233-abcdef012345678912345678",
                "a.b_c-d:e+f/g=h@i",
                "ZWluIElk=="
            })
    void aWellFormedOneIsTaken(String id) {
        request.addHeader("X-Request-Id", id);

        assertThat(RequestId.of(request)).isEqualTo(id);
    }

    @Test
    void oneOf128CharactersIsTakenAndALongerOneIsNot() {
        request.addHeader("X-Request-Id", "x".repeat(128));
        assertThat(RequestId.of(request)).isEqualTo("x".repeat(128));

        var longer = new MockHttpServletRequest();
        longer.addHeader("X-Request-Id", "x".repeat(129));
        assertThat(RequestId.of(longer)).matches(MADE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " ", "a b", "a\nb", "a\u0000", "ä", "\u202Ea", "a\"b", "a,b", "<a>", "a{b}"
            })
    void anIllFormedOneCountsAsAbsent(String id) {
        request.addHeader("X-Request-Id", id);

        assertThat(RequestId.of(request)).matches(MADE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00-" + TRACE + "-" + PARENT + "-01",
                "00-" + TRACE + "-" + PARENT + "-00",
                "cc-" + TRACE + "-" + PARENT + "-01",
                "cc-" + TRACE + "-" + PARENT + "-01-what-comes-later"
            })
    void theTraceIsTakenWhereNoIdIsGiven(String traceparent) {
        request.addHeader("traceparent", traceparent);

        assertThat(RequestId.of(request)).isEqualTo(TRACE);
    }

    @Test
    void theIdIsTakenBeforeTheTrace() {
        request.addHeader("traceparent", "00-" + TRACE + "-" + PARENT + "-01");
        request.addHeader("X-Request-Id", "given");

        assertThat(RequestId.of(request)).isEqualTo("given");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-" + TRACE + "-" + PARENT,
                "00-" + TRACE + "-" + PARENT + "-1",
                "00-" + TRACE + "-" + PARENT + "-0g",
                "00-" + TRACE + "-" + PARENT + "-01-more",
                "00-" + TRACE + "-" + PARENT + "-011",
                "cc-" + TRACE + "-" + PARENT + "-01.more",
                "ff-" + TRACE + "-" + PARENT + "-01",
                "0g-" + TRACE + "-" + PARENT + "-01",
                "00-0AF7651916CD43DD8448EB211C80319C-" + PARENT + "-01",
                "00-00000000000000000000000000000000-" + PARENT + "-01",
                "00-" + TRACE + "-0000000000000000-01",
                "00-0af7651916cd43dd8448eb211c80319-" + PARENT + "-010",
                "00_" + TRACE + "-" + PARENT + "-01",
                "00-" + TRACE + "_" + PARENT + "-01",
                "00-" + TRACE + "-" + PARENT + "_01"
            })
    void anIllFormedTraceCountsAsAbsent(String traceparent) {
        request.addHeader("traceparent", traceparent);

        assertThat(RequestId.of(request)).matches(MADE).isNotEqualTo(TRACE);
    }

    @Test
    void aRequestKeepsItsOwnAndOthersHaveOthers() {
        String made = RequestId.of(request);

        assertThat(RequestId.of(request)).isEqualTo(made);
        assertThat(RequestId.of(new MockHttpServletRequest())).matches(MADE).isNotEqualTo(made);
    }

    @ParameterizedTest
    @CsvSource({"carried, carried", ","})
    void workForAnotherThreadCarriesIt(String here, String there) throws Exception {
        var seen = new AtomicReference<>("nothing");
        if (here != null) {
            MDC.put(RequestId.NAME, here);
        }
        Runnable work = RequestId.carried(() -> seen.set(MDC.get(RequestId.NAME)));
        MDC.remove(RequestId.NAME);

        Thread.ofVirtual().start(work).join();

        assertThat(seen.get()).isEqualTo(there);
    }
}
