// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import com.sun.management.ThreadMXBean;
import io.hayate.CollOptions;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import java.lang.management.ManagementFactory;

/** Prints how many bytes a rank allocates for each step of the Fourier transform, once warm. */
public final class FourierAllocationProbe {
    private static final int WARM = 200;
    private static final int STEPS = 200;

    public static void main(String[] args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            Slabs slabs = new Slabs(16, job.size(), 2);
            try (DistributedFft fft = new DistributedFft(
                    job, fmpl, slabs, CollOptions.AUTO, new Stopwatch());
                    GlobalSums sums = new GlobalSums(job, fmpl, new Stopwatch())) {
                SplitStep solver = new SplitStep(fft, slabs, job.rank(), new WavePacket(16), 0.01);
                solver.begin();
                work(solver, WARM);
                ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
                long before = threads.getCurrentThreadAllocatedBytes();
                work(solver, STEPS);
                long bytes = threads.getCurrentThreadAllocatedBytes() - before;
                System.out.println("allocated " + bytes / STEPS);
                solver.finish(sums);
            }
            fmpl.barrier();
        }
    }

    private static void work(SplitStep solver, int steps) {
        for (int i = 0; i < steps; i++) {
            solver.advance();
        }
    }
}
