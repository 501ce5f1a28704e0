package dev.ovation.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.util.Throwables.getRootCause;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

class SharedFixturesTest {

    private static final List<String> EVENTS = new ArrayList<>();
    private static boolean closeFails;

    @BeforeEach
    void forget() {
        EVENTS.clear();
        closeFails = false;
    }

    @Test
    void aFixtureRunsFromTheFirstClassToTheLast() {
        assertThat(failuresOf(First.class, Between.class, Last.class, Over.class)).isEmpty();
        assertThat(EVENTS).containsExactly("start", "first", "between", "last", "end", "over");
    }

    @Test
    void anotherRunStartsItAgain() {
        assertThat(failuresOf(First.class, Between.class)).isEmpty();
        assertThat(failuresOf(Last.class, Over.class)).isEmpty();
        assertThat(EVENTS)
                .containsExactly(
                        "start", "first", "end", "between", "start", "last", "end", "over");
    }

    @Test
    void aFixtureThatFailsToEndFailsTheRun() {
        closeFails = true;
        assertThat(failuresOf(First.class, Between.class)).containsExactly("on purpose");
    }

    /** Returns the messages of the failures. */
    private static List<String> failuresOf(Class<?>... tests) {
        var request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(Arrays.stream(tests).map(each -> selectClass(each)).toList())
                        .configurationParameter(
                                ClassOrderer.DEFAULT_ORDER_PROPERTY_NAME,
                                ClassOrderer.OrderAnnotation.class.getName())
                        .build();
        var summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, summary);
        return summary.getSummary().getFailures().stream()
                .map(failure -> getRootCause(failure.getException()).getMessage())
                .toList();
    }

    static final class Sharing implements BeforeAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) {
            var _ = SharedFixtures.of(context, Sharing.class, Parts.class, Parts::new);
        }
    }

    static final class Parts implements AutoCloseable {
        Parts() {
            EVENTS.add("start");
        }

        @Override
        public void close() {
            EVENTS.add("end");
            if (closeFails) {
                throw new IllegalStateException("on purpose");
            }
        }
    }

    @Order(1)
    @ExtendWith(Sharing.class)
    static final class First {
        @Test
        void passes() {
            EVENTS.add("first");
        }
    }

    @Order(2)
    static final class Between {
        @Test
        void passes() {
            EVENTS.add("between");
        }
    }

    @Order(3)
    @ExtendWith(Sharing.class)
    static final class Last {
        @Test
        void passes() {
            EVENTS.add("last");
        }
    }

    @Order(4)
    static final class Over {
        @Test
        void passes() {
            EVENTS.add("over");
        }
    }
}
