// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.bench.figures.Failure;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RosterTest {
    @Test
    void should_be_complete_when_rank_zero_is_done() {
        Roster roster = new Roster(2);
        assertFalse(roster.take("rank 1 pid 4712"));
        assertFalse(roster.take("rank 0 pid 4711"));
        assertTrue(roster.take("done 1500000000"));
        assertEquals(Set.of(4711L, 4712L), roster.processes());
        assertEquals(1_500_000_000L, roster.nanos());
    }

    @Test
    void should_miss_a_rank_that_told_nothing() {
        Roster roster = new Roster(3);
        roster.take("rank 0 pid 4711");
        roster.take("rank 2 pid 4713");
        Failure e = assertThrows(Failure.class, () -> roster.take("done 1"));
        assertEquals("only 2 of 3 ranks printed their process id", e.getMessage());
    }

    @Test
    void should_not_take_one_process_for_two_ranks() {
        Roster roster = new Roster(2);
        roster.take("rank 0 pid 4711");
        roster.take("rank 1 pid 4711");
        assertThrows(Failure.class, () -> roster.take("done 1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "rank 2 pid 1", "rank -1 pid 1", "rank 0 pid x", "done", "done 1 2",
        "rank 99999999999 pid 1", "rank 0 pid 1 more"})
    void should_refuse_what_no_rank_says(String line) {
        Failure e = assertThrows(Failure.class, () -> new Roster(2).take(line));
        assertTrue(e.getMessage().startsWith("unexpected line '" + line + "'"), e.getMessage());
    }
}
