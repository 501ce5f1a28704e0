package dev.ovation.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class FlameGraphTest {

    @Test
    void samplesFoldByTheirCallers() {
        var graph = new FlameGraph();
        graph.add(List.of("write", "answer", "main"));
        graph.add(List.of("write", "answer", "main"));
        graph.add(List.of("read", "answer", "main"));
        graph.add(List.of("write", "log", "main"));

        assertThat(graph.samples("main")).isEqualTo(4);
        assertThat(graph.samples("main", "answer")).isEqualTo(3);
        assertThat(graph.samples("main", "answer", "write")).isEqualTo(2);
        assertThat(graph.samples("main", "log", "write")).isEqualTo(1);
        assertThat(graph.samples("answer")).isZero();
    }

    @Test
    void thePageEscapesNamesAndStatesShares() {
        var graph = new FlameGraph();
        graph.add(List.of("Type.<init>", "main"));
        graph.add(List.of("main"));

        assertThat(graph.html("title"))
                .contains("title=\"Type.&lt;init>: 50.0%\"")
                .contains("title=\"main: 100.0%\"");
    }
}
