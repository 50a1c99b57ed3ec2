/* SPDX-License-Identifier: Apache-2.0 */

import com.sun.management.OperatingSystemMXBean;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * What a blocked receive costs: rank 1 waits in it while rank 0 sleeps for 5 s and then sends. Its
 * share of a core contains all threads of its JVM. Rank 0 prints it, as ../c/harness.c does.
 */
public final class BlockedBench {
    private static final long SLEEP_MS = 5000;

    private BlockedBench() {
    }

    public static void main(String[] args) throws InterruptedException {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            HeapSpan times = job.allocate(2L * Double.BYTES);
            fmpl.world().barrier();
            if (job.rank() == 1) {
                wait(fmpl, times);
            } else {
                Thread.sleep(SLEEP_MS);
                fmpl.send(times, 1, 0);
                fmpl.recv(times, 1, 0);
                report(times.doubles().get(0), times.doubles().get(1), job.size());
            }
            fmpl.world().barrier();
        }
    }

    private static void wait(Fmpl fmpl, HeapSpan times) {
        OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long begin = System.nanoTime();
        long before = system.getProcessCpuTime();
        fmpl.recv(times, 0, 0);
        times.doubles().put(0, (system.getProcessCpuTime() - before) / 1e3);
        times.doubles().put(1, (System.nanoTime() - begin) / 1e3);
        fmpl.send(times, 0, 0);
    }

    private static void report(double cpuUs, double us, int ranks) {
        System.out.printf(Locale.ROOT, "{\"impl\":\"hayate-java\",\"bench\":\"blocked\","
                + "\"bytes\":0,\"ranks\":%d,\"path\":\"auto\",\"buffers\":\"heap\",\"min_us\":%.1f,"
                + "\"median_us\":%.1f,\"p99_us\":%.1f,\"mb_per_s\":0,\"cpu_percent\":%.3f}%n",
                ranks, us, us, us, 100 * cpuUs / us);
    }
}
