// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.conformance.Threads;
import java.util.List;

/** A job whose ranks are threads of a test, all of which run the same body. */
final class ThreadJob {
    private static final int MAIS = 16;

    interface Body {
        void run(Hayate job, Fmpl fmpl) throws Exception;
    }

    /** Runs it, and ends when all ranks have done so. */
    static void run(int ranks, Body body) throws Exception {
        run(ranks, Threads::platform, body);
    }

    static void run(int ranks, Threads.Starter starter, Body body) throws Exception {
        runApart(ranks, starter, (job, fmpl) -> {
            body.run(job, fmpl);
            fmpl.barrier();
        });
    }

    /** A rank that is ready, or fails, leaves the job at once. */
    static void runApart(int ranks, Body body) throws Exception {
        runApart(ranks, Threads::platform, body);
    }

    private static void runApart(int ranks, Threads.Starter starter, Body body) throws Exception {
        List<Hayate> jobs = Hayate.initThreads(ranks);
        Threads.together(ranks, starter, rank -> {
            try (Hayate job = jobs.get(rank); Fmpl fmpl = Fmpl.init(job, MAIS)) {
                body.run(job, fmpl);
            }
        });
    }
}
