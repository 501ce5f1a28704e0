package dev.ovation.transfer.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class CsvTest {

    @Test
    void fieldsAreSeparatedByCommasThatAreNotInQuotes() throws Exception {
        assertThat(Csv.split("a,,\"b,\"\"c\"\"\",d ")).containsExactly("a", "", "b,\"c\"", "d ");
        assertThat(Csv.split("")).containsExactly("");
        assertThat(Csv.split("\"\"")).containsExactly("");
        assertThat(Csv.split("a,")).containsExactly("a", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,\"b", "\"a\"b,c", "a\"b,c", "c,a\"b", "\"", "\"a\"\""})
    void quotesThatAreNotInOrderAreBad(String line) {
        assertThatThrownBy(() -> Csv.split(line)).isInstanceOf(BadRowException.class);
    }

    @Test
    void splittingAJoinedLineGivesTheSameFields() throws Exception {
        var fields = List.of("a,b", "\"", "", "c\"d", " e ", "#", "👩‍💻\\");

        assertThat(Csv.split(Csv.join(fields))).isEqualTo(fields);
    }
}
