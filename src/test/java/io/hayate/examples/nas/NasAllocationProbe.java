// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import com.sun.management.ThreadMXBean;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Prints how many bytes a rank allocates in the timed part of a benchmark, once warm: the least of
 * some runs, because the JVM allocates what it had optimised away when it goes back to the
 * interpreter.
 */
public final class NasAllocationProbe {
    private static final int WARM = 3;
    private static final int RUNS = 3;

    public static void main(String[] args) throws UsageException {
        NasOptions options = NasOptions.parse(Arrays.copyOfRange(args, 1, args.length));
        Benchmark.Factory factory = factory(args[0]);
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job);
                NasJob own = new NasJob(new HayateLibrary(job, fmpl, options), options);
                Benchmark benchmark = factory.create(own)) {
            for (int i = 0; i < WARM; i++) {
                benchmark.prepare();
                benchmark.run();
            }
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long bytes = Long.MAX_VALUE;
            for (int i = 0; i < RUNS; i++) {
                benchmark.prepare();
                long before = threads.getCurrentThreadAllocatedBytes();
                benchmark.run();
                bytes = Math.min(bytes, threads.getCurrentThreadAllocatedBytes() - before);
            }
            System.out.println("allocated " + bytes / benchmark.work().iterations());
            fmpl.barrier();
        }
    }

    private static Benchmark.Factory factory(String name) {
        return switch (name) {
            case "IS" -> Is::new;
            case "CG" -> Cg::new;
            case "MG" -> Mg::new;
            case "FT" -> Ft::new;
            case "SP" -> Sp::new;
            case "BT" -> Bt::new;
            case "LU" -> Lu::new;
            default -> throw new IllegalArgumentException(name);
        };
    }
}
