// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.HeapBlock;
import io.hayate.internal.job.Job;
import io.hayate.internal.job.VirtualThreads;
import java.lang.ref.Reference;

/**
 * The memory of the program that an FMPL uses, pinned until the FMPL is closed; {@code null} if the
 * FMPL has allocated it itself.
 */
public record Areas(HeapBlock matching, HeapBlock flags) {
    /** Size of the matching area per entry and rank, in bytes. */
    public static final int MATCH_BYTES = 256;
    /** Size of the flags per entry and rank, in bytes. */
    public static final int FLAG_BYTES = 2048;

    /** Opens an FMPL on the areas, and returns its handle. */
    long open(Job job, int count) {
        long matchingStart = start(job, matching, MATCH_BYTES, count);
        long flagsStart = start(job, flags, FLAG_BYTES, count);
        long handle = VirtualThreads.await(() -> Errors.check(
                SetupBinding.fmplOpen(job.handle(), matchingStart, flagsStart, count)));
        Reference.reachabilityFence(job);
        return handle;
    }

    private static long start(Job job, HeapBlock area, int each, int count) {
        if (area == null) {
            return 0;
        }
        if (area.job() != job) {
            throw Errors.argument("the area belongs to another job");
        }
        return area.at(0, Math.max(count, 0) * (long) job.size() * each);
    }

    void pin() {
        pin(matching);
        pin(flags);
    }

    private static void pin(HeapBlock area) {
        if (area != null) {
            area.pin();
        }
    }

    void unpin() {
        unpin(matching);
        unpin(flags);
    }

    private static void unpin(HeapBlock area) {
        if (area != null) {
            area.unpin();
        }
    }
}
