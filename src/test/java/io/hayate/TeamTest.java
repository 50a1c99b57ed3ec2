// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.internal.NativeLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A team hangs where it fails: the time-out is part of every assertion. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TeamTest {
    private static final int RANKS = 8;
    /** More than a process can address: its thread does not start. */
    private static final long IMPOSSIBLE_STACK = 1L << 47;

    @BeforeAll
    static void load() {
        NativeLoader.load();
    }

    private static long segments() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("memfd:hayate")).count();
        }
    }

    private static void close(List<Hayate> jobs) {
        jobs.forEach(Hayate::close);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, RANKS / 2, RANKS - 1})
    void should_say_which_thread_the_system_refused(int refused) throws IOException {
        long before = segments();
        List<Thread> started = new ArrayList<>();
        SystemFailureException e = assertThrows(SystemFailureException.class,
                () -> Team.open(RANKS, (opening, rank) -> {
                    Thread thread = new Thread(null, opening, "rank",
                            rank == refused ? IMPOSSIBLE_STACK : 0);
                    started.add(thread);
                    return thread;
                }));
        assertInstanceOf(OutOfMemoryError.class, e.getCause());
        assertTrue(e.reason().contains("rank " + refused + " of " + RANKS), e.reason());
        assertEquals(refused + 1, started.size());
        assertTrue(segments() <= before, "a segment is left"); // those of others may go meanwhile
        close(Hayate.initThreads(RANKS));
    }

    @Test
    void should_pass_on_what_a_thread_s_making_threw() {
        IllegalStateException thrown = new IllegalStateException("no threads today");
        SystemFailureException e = assertThrows(SystemFailureException.class,
                () -> Team.open(2, (opening, rank) -> {
                    if (rank == 1) {
                        throw thrown;
                    }
                    return new Thread(opening);
                }));
        assertSame(thrown, e.getCause());
        assertTrue(e.reason().contains("no threads today"), e.reason());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 4097, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void should_refuse_numbers_of_ranks_that_cannot_be(int ranks) {
        ArgumentException e = assertThrows(ArgumentException.class,
                () -> Hayate.initThreads(ranks));
        assertTrue(e.reason().contains(ranks + " ranks: expected 1 to 4096"), e.reason());
    }
}
