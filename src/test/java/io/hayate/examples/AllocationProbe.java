// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import com.sun.management.ThreadMXBean;
import io.hayate.CollOptions;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import java.lang.management.ManagementFactory;

/**
 * Prints how many bytes a rank allocates for each product and sum, once warm. With an argument the
 * sums are persistent.
 */
public final class AllocationProbe {
    private static final int WARM = 500;
    private static final int ROUNDS = 2000;

    public static void main(String[] args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            RowBlock block = new PoissonProblem(9).block(job.rank(), job.size());
            Stopwatch communication = new Stopwatch();
            try (DistributedMatrix matrix = new DistributedMatrix(job, fmpl, block, communication);
                    GlobalSums sums = new GlobalSums(job, fmpl, communication)) {
                if (args.length > 0) {
                    sums.prepare(3, CollOptions.AUTO);
                }
                double[] x = matrix.vector();
                double[] y = new double[matrix.rows()];
                work(matrix, sums, x, y, WARM);
                ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
                long before = threads.getCurrentThreadAllocatedBytes();
                work(matrix, sums, x, y, ROUNDS);
                long bytes = threads.getCurrentThreadAllocatedBytes() - before;
                System.out.println("allocated " + bytes / ROUNDS);
            }
            fmpl.barrier();
        }
    }

    private static void work(DistributedMatrix matrix, GlobalSums sums, double[] x, double[] y,
            int rounds) {
        for (int i = 0; i < rounds; i++) {
            sums.set(0, matrix.multiply(x, y));
            sums.sum(3);
        }
    }
}
