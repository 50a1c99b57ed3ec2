// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a reducer that throws the worst there is costs the run, and nothing else. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReducerFailureTest {
    /** Not even its description works. */
    private static final class SpeechlessError extends Error {
        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            throw new AssertionError();
        }
    }

    /** Throws for elements below 0. */
    private static final Reducer FRAGILE = (inout, in, n) -> {
        for (int i = 0; i < n; i++) {
            long sum = inout.getLong(i * Long.BYTES) + in.getLong(i * Long.BYTES);
            if (sum < 0) {
                throw new SpeechlessError();
            }
            inout.putLong(i * Long.BYTES, sum);
        }
    };

    private static int failure(Runnable call) {
        try {
            call.run();
            return 0;
        } catch (CallbackException thrown) {
            assertInstanceOf(SpeechlessError.class, thrown.getCause());
            return 1;
        }
    }

    @Test
    void should_throw_what_cannot_describe_itself_and_run_again() throws Exception {
        AtomicInteger ordinary = new AtomicInteger();
        AtomicInteger persistent = new AtomicInteger();
        ThreadJob.run(2, (job, fmpl) -> {
            long[] values = new long[3];
            try (Reduction sum = Reduction.of(fmpl, Long.BYTES, FRAGILE);
                    PersistentOperation prepared =
                            PersistentColl.on(fmpl.world()).allreduce(Span.of(values), sum)) {
                for (long value : new long[] {-1, 4, -2, 5}) {
                    Arrays.fill(values, value);
                    ordinary.addAndGet(failure(() -> fmpl.allreduce(Span.of(values), sum)));
                    Arrays.fill(values, value);
                    prepared.start();
                    persistent.addAndGet(failure(prepared::await));
                    if (value > 0) {
                        assertArrayEquals(new long[] {2 * value, 2 * value, 2 * value}, values);
                    }
                    fmpl.barrier();
                }
            }
        });
        assertTrue(ordinary.get() >= 2 && persistent.get() >= 2, ordinary + " " + persistent);
    }
}
