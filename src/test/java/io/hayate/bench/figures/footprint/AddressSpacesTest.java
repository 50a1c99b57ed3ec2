// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hayate.bench.figures.Failure;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressSpacesTest {
    @Test
    void should_count_once_what_tasks_share_with_their_launcher() {
        AddressSpaces spaces = new AddressSpaces(
                List.of("pid 10 mm 10", "pid 11 mm 11", "pid 12 mm 10", "pid 13 mm 10"));
        assertEquals(Set.of(10L, 11L), spaces.all());
        assertEquals(Set.of(11L), spaces.without(List.of(12L, 13L)));
    }

    @Test
    void should_count_each_process() {
        AddressSpaces spaces = new AddressSpaces(
                List.of("pid 10 mm 10", "pid 11 mm 11", "pid 12 mm 12", "pid 13 mm 13"));
        assertEquals(Set.of(10L, 11L, 12L, 13L), spaces.all());
        assertEquals(Set.of(10L, 11L), spaces.without(List.of(12L, 13L)));
    }

    @Test
    void should_want_ranks_among_them() {
        AddressSpaces spaces = new AddressSpaces(List.of("pid 10 mm 10"));
        assertThrows(Failure.class, () -> spaces.without(List.of(12L)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "pid 1", "pid 1 mm", "pid 1 mm x", "pid 99999999999 mm 1",
        "pid 1 mm 1 "})
    void should_refuse_other_lines(String line) {
        assertThrows(Failure.class, () -> new AddressSpaces(List.of(line)));
    }
}
