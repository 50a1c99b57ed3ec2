// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.internal.Errors;
import io.hayate.internal.PvasBinding;
import io.hayate.internal.job.VirtualThreads;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for what a task exports, so that virtual threads let go of their carriers. */
public final class PvasImports {
    /** Native waits are no longer, so that a close in between is seen. */
    private static final long SLICE_MS = 50;
    private static final long NANOS_OF_MS = 1_000_000;
    private static final long FIRST_PAUSE = 50_000;
    private static final long LAST_PAUSE = 2 * NANOS_OF_MS;

    private PvasImports() {
    }

    /** As long as a duration can be, without overflow. */
    public static long nanos(Duration most) {
        if (Errors.required(most, "most").isNegative()) {
            throw Errors.argument("a negative duration: " + most);
        }
        try {
            return most.toNanos();
        } catch (ArithmeticException longer) {
            return Long.MAX_VALUE;
        }
    }

    /** Address, length and rights, as the binding gives them; null: nobody did within the time. */
    public static long[] find(int space, int task, String name, long nanos, Runnable requireOpen) {
        byte[] text = PvasTexts.text("a name", Errors.required(name, "name"));
        long[] found = new long[PvasBinding.IMPORTED];
        long started = System.nanoTime();
        boolean virtual = VirtualThreads.isCurrent();
        boolean interrupted = false;
        try {
            for (long pause = FIRST_PAUSE; true; pause = Math.min(2 * pause, LAST_PAUSE)) {
                requireOpen.run();
                long left = nanos - (System.nanoTime() - started);
                int wait = virtual || left <= 0 ? 0
                        : (int) Math.min(SLICE_MS, left / NANOS_OF_MS + 1);
                int rc = Errors.check(PvasBinding.pvasImport(space, task, text, wait, found));
                if (rc != PvasBinding.IN_PROGRESS) {
                    return found;
                }
                if (left <= 0) {
                    return null;
                }
                if (virtual) {
                    LockSupport.parkNanos(Math.min(pause, left));
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Takes over a hold of the keeper, also when it fails. */
    public static PvasAccess access(PvasKeeper keeper, long[] found) {
        return new PvasAccess(keeper, found[PvasBinding.ADDRESS], found[PvasBinding.BYTES],
                found[PvasBinding.WRITABLE] == 0);
    }
}
