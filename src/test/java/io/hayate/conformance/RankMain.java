// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import java.util.List;

/**
 * Runs scenarios, named as arguments (themselves, or by their class), one after the other in every
 * rank of a job. Each gets an Fmpl of its own; a second one keeps the ranks together. A rank that
 * fails reports it and ends, as the others may wait for it; the test starts the rest again.
 */
public final class RankMain {
    /** Property: so many ranks, a thread each, instead of the one of the launcher. */
    static final String THREADS = "hayate.test.threads";

    /** The ranks are threads of this process, perhaps beside those of others. */
    static boolean areThreads() {
        return Guests.areHere() || Integer.getInteger(THREADS, 0) > 0;
    }

    /** Entry of a rank, or of all. */
    public static void main(String[] names) throws InterruptedException {
        if (Guests.areHere()) {
            Guests.run(job -> run(job, names));
            return;
        }
        int threads = Integer.getInteger(THREADS, 0);
        if (threads == 0) {
            run(Hayate.init(), names);
            return;
        }
        List<Thread> ranks = Hayate.initThreads(threads).stream()
                .map(job -> new Thread(() -> run(job, names), "rank-" + job.rank())).toList();
        ranks.forEach(Thread::start);
        for (Thread rank : ranks) {
            rank.join();
        }
    }

    private static void run(Hayate opened, String[] names) {
        try (Hayate job = opened; Fmpl between = Fmpl.init(job, 1)) {
            for (String name : Scenarios.named(names, job.size())) {
                run(job, name);
                between.barrier();
            }
        }
    }

    private static void run(Hayate job, String name) {
        new Report(job.rank(), name, Report.State.BEGUN, "").print();
        long begun = System.nanoTime();
        try (Fmpl fmpl = Fmpl.init(job)) {
            Scenarios.run(name, new Rank(job, fmpl));
        } catch (Throwable thrown) {
            Report.failed(job.rank(), name, thrown).print();
            Runtime.getRuntime().halt(1);
        }
        new Report(job.rank(), name, Report.State.PASSED,
                (System.nanoTime() - begun) / 1_000_000 + " ms").print();
    }
}
