// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.internal.bindings.PvasBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.VirtualThreads;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for exports of a task in a way that virtual threads release their carriers. */
public final class PvasImports {
    /** The longest native wait, so that a close in between is noticed. */
    private static final long SLICE_MS = 50;
    private static final long NANOS_OF_MS = 1_000_000;
    private static final long FIRST_PAUSE = 50_000;
    private static final long LAST_PAUSE = 2 * NANOS_OF_MS;

    private PvasImports() {
    }

    /** Converts a duration without overflow. */
    public static long nanos(Duration most) {
        if (Errors.required(most, "most").isNegative()) {
            throw Errors.argument("duration " + most + ": expected 0 or more");
        }
        try {
            return most.toNanos();
        } catch (ArithmeticException longer) {
            return Long.MAX_VALUE;
        }
    }

    /**
     * Returns address, length and rights of an export, as the binding does; null: there was no
     * export within the time.
     */
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

    /** Takes ownership of a hold on the retainer, also if it fails. */
    public static PvasAccess access(PvasRetainer retainer, long[] found) {
        return new PvasAccess(retainer, found[PvasBinding.ADDRESS], found[PvasBinding.BYTES],
                found[PvasBinding.WRITABLE] == 0);
    }
}
