// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.SetupDoor;
import io.hayate.internal.job.VirtualThreads;
import java.lang.ref.Reference;

/**
 * The memory of the program's that an FMPL lies on, pinned until that is closed; {@code null} where
 * it has its own.
 */
record Areas(HeapSpan matching, HeapSpan flags) {
    /** The handle of an FMPL on them. */
    long open(Hayate job, int count) {
        long matchingStart = start(job, matching, Fmpl.MATCH_BYTES, count);
        long flagsStart = start(job, flags, Fmpl.FLAG_BYTES, count);
        long handle = VirtualThreads.await(() -> Errors.check(
                SetupDoor.fmplOpen(job.anchor().job(), matchingStart, flagsStart, count)));
        Reference.reachabilityFence(job);
        return handle;
    }

    private static long start(Hayate job, HeapSpan area, int each, int count) {
        if (area == null) {
            return 0;
        }
        if (area.job != job) {
            throw Errors.argument("the area is of another job");
        }
        return area.at(0, Math.max(count, 0) * (long) job.size() * each);
    }

    void pin() {
        pin(matching);
        pin(flags);
    }

    private static void pin(HeapSpan area) {
        if (area != null) {
            area.pin();
        }
    }

    void unpin() {
        unpin(matching);
        unpin(flags);
    }

    private static void unpin(HeapSpan area) {
        if (area != null) {
            area.unpin();
        }
    }
}
