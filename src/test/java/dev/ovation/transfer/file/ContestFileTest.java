package dev.ovation.transfer.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class ContestFileTest {

    private final List<FileRow> rows = new ArrayList<>();
    private final Map<Long, String> bad = new HashMap<>();
    private int withoutLikes;

    @Test
    void likesStandInEitherSpelling() throws Exception {
        read(FileKind.PCC_LIKES, "1,2,3\r\n4:[5,6]\r\n7:[ 8]\n");

        assertThat(likes()).containsExactly("1 2", "1 3", "4 5", "4 6");
        assertThat(bad).containsOnlyKeys(3L);
    }

    @Test
    void objectsWithoutALikeAreNoRowsAndNothingBad() throws Exception {
        read(FileKind.PCC_LIKES, "1\n2,\n3:[]\n\n");

        assertThat(rows).isEmpty();
        assertThat(bad).isEmpty();
        assertThat(withoutLikes).isEqualTo(3);
    }

    @Test
    void aBadLikeCostsItselfAndABadObjectItsLine() throws Exception {
        read(FileKind.PCC_LIKES, "1,x,3\nx,1\n18446744073709551616,1\n2,18446744073709551615");

        assertThat(likes()).containsExactly("1 3", "2 18446744073709551615");
        assertThat(bad).containsOnlyKeys(1L, 2L, 3L);
    }

    @Test
    void aLineMayBeOfAnyLength() throws Exception {
        String line =
                "1,"
                        + IntStream.rangeClosed(1, 37_700)
                                .mapToObj(Integer::toString)
                                .collect(Collectors.joining(","));
        read(FileKind.PCC_LIKES, line + "\n2,5\n");

        assertThat(line.length()).isGreaterThan(2 * Lines.MAX);
        assertThat(rows).hasSize(37_701);
        assertThat(rows.getLast().entity()).isEqualTo("2");
    }

    @Test
    void aLikeHasTheTimeOfItsPlaceAndNoOtherOfItsObjectHasIt() throws Exception {
        read(FileKind.PCC_LIKES, "1,2,3\n1,4,2");
        var first = List.copyOf(rows);
        rows.clear();
        read(FileKind.PCC_LIKES, "1,2,3\n1,4,2");

        assertThat(rows).isEqualTo(first);
        assertThat(rows).extracting(FileRow::at).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void aNicknameMayHoldCommasAndQuotes() throws Exception {
        read(FileKind.PCC_USERS, "1,Ann \"A\" Li, the third\r\n2\n3,\n007,Bond\n");

        assertThat(rows)
                .extracting(row -> row.user() + " " + row.value())
                .containsExactly("1 Ann \"A\" Li, the third", "7 Bond");
        assertThat(bad).containsOnlyKeys(2L, 3L);
    }

    @Test
    void aFriendshipWithOneselfIsABadLine() throws Exception {
        read(FileKind.PCC_FRIENDS, "1,2\n3,3\n2,1\n4,5,6\n");

        assertThat(rows)
                .extracting(row -> row.user() + " " + row.value())
                .containsExactly("1 2", "2 1");
        assertThat(bad).containsOnlyKeys(2L, 4L);
    }

    private List<String> likes() {
        return rows.stream().map(row -> row.entity() + " " + row.user()).toList();
    }

    private void read(FileKind kind, String text) throws IOException {
        var lines = new Lines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        new ContestFile(kind, lines, "pcc")
                .readInto(
                        new Sink() {
                            @Override
                            public void row(FileRow row) {
                                rows.add(row);
                            }

                            @Override
                            public void bad(long line, String problem) {
                                bad.put(line, problem);
                            }

                            @Override
                            public void withoutLikes() {
                                withoutLikes++;
                            }
                        });
    }
}
