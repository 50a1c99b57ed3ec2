// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.conformance.Threads;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads close the BLACS, and a grid, at the same time: all of them find them closed. */
@Timeout(300)
class BlacsCloseTest {
    private static final int ROUNDS = 900;
    private static final int THREADS = 4;

    private final Queue<HayateException> failures = new ConcurrentLinkedQueue<>();

    private void quietly(Runnable call) {
        try {
            call.run();
        } catch (HayateException e) {
            failures.add(e);
        }
    }

    /** Goes on at the same moment in all threads, as far as there are processors. */
    private static void meet(AtomicInteger come, int round) {
        come.incrementAndGet();
        while (come.get() < round * THREADS) {
            Thread.yield();
        }
    }

    @Test
    void should_close_in_several_threads() throws Exception {
        try (Hayate job = Hayate.init()) {
            Blacs[] blacs = new Blacs[1];
            BlacsGrid[] grid = new BlacsGrid[1];
            AtomicInteger begun = new AtomicInteger();
            AtomicInteger ended = new AtomicInteger();
            Threads.together(THREADS, Threads::platform, thread -> {
                for (int round = 1; round <= ROUNDS; round++) {
                    if (thread == 0) {
                        quietly(() -> blacs[0] = Blacs.open(job));
                        quietly(() -> grid[0] = blacs[0].grid(1, 1));
                    }
                    meet(begun, round);
                    quietly(thread == round % THREADS ? grid[0]::close : blacs[0]::close);
                    meet(ended, round);
                }
            });
        }
        assertEquals("[]", failures.toString());
    }
}
