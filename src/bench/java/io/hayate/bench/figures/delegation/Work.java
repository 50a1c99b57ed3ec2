// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.delegation;

import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** What a rank does while its communication should go on. */
enum Work {
    /** It computes in Java, without a call of Hayate. */
    COMPUTE {
        @Override
        void run(State state) {
            double x = state.result;
            for (long i = 0; i < state.amount; i++) {
                x = x * 0.999999 + 1e-6;
            }
            state.result = x;
        }
    },
    /** It collects garbage in full, with live objects that take time to mark. */
    GC {
        @Override
        void run(State state) {
            System.gc();
        }

        @Override
        void grow(State state) {
            long[][] live = new long[(int) state.amount][];
            for (int i = 0; i < live.length; i++) {
                live[i] = new long[] {i};
            }
            state.live = live;
        }
    },
    /** It sleeps, and leaves its core to others. */
    SLEEP {
        @Override
        void run(State state) {
            long end = System.nanoTime() + state.amount;
            for (long left = state.amount; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    };

    private static final int TRIALS = 4;
    private static final long FIRST = 100_000;
    private static final long MOST = 4_000_000;

    /** The amount of work of a rank; volatile, so that the compiler leaves nothing out. */
    static final class State {
        private long amount = FIRST;
        private volatile double result;
        private volatile long[][] live = {};
    }

    abstract void run(State state);

    void grow(State state) {
        // only what is on the Java heap grows
    }

    /** Returns an amount of work that takes about so long; a full collection may take longer. */
    State calibrated(long nanos) {
        State state = new State();
        if (this == SLEEP) {
            state.amount = nanos;
            return state;
        }
        for (int i = 0; i < TRIALS; i++) {
            grow(state);
            run(state); // the live objects become old
            long begin = System.nanoTime();
            run(state);
            double factor = nanos / (double) Math.max(1, System.nanoTime() - begin);
            state.amount = Math.max(1, (long) (state.amount * Math.min(factor, 1000)));
            state.amount = this == GC ? Math.min(state.amount, MOST) : state.amount;
        }
        grow(state);
        run(state);
        return state;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
