// SPDX-License-Identifier: Apache-2.0
package io.hayate.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Reduction;
import io.hayate.Span;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two executors that run two tasks each, as threads. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MixedIT {
    private static final int RANKS = 4;
    private static final int LONG = 1 << 17; // goes by rendezvous

    /** What the task has heard of all others, message by message, and the process. */
    private static String exchange() {
        try (Hayate job = SparkRanks.join(); Fmpl fmpl = Fmpl.init(job)) {
            double sum = 0;
            for (int peer = 0; peer < job.size(); peer++) {
                double[] mine = new double[LONG];
                double[] its = new double[LONG];
                Arrays.fill(mine, job.rank() + 1);
                if (peer != job.rank()) {
                    var receive = fmpl.irecv(Span.of(its), peer, 0);
                    fmpl.send(Span.of(mine), peer, 0);
                    receive.await();
                    sum += its[0] + its[LONG - 1];
                }
            }
            double[] all = new double[LONG];
            Arrays.fill(all, job.rank());
            fmpl.allreduce(Span.of(all), Reduction.DOUBLE_SUM);
            return ProcessHandle.current().pid() + " " + (sum + 2 * (job.rank() + 1)) + " "
                    + all[0] + " " + all[LONG - 1];
        }
    }

    @Test
    void should_join_threads_and_processes() {
        try (JavaSparkContext spark = SparkCluster.shared().open(2, 2)) {
            var parts = spark.parallelize(List.of(0, 1, 2, 3), RANKS);
            for (int stage = 0; stage < 2; stage++) {
                List<String> said = SparkRanks.barrier(parts)
                        .mapPartitions(part -> List.of(exchange()).iterator()).collect();
                Map<String, Long> processes = said.stream().collect(Collectors.groupingBy(
                        each -> each.split(" ")[0], Collectors.counting()));
                assertEquals(List.of(2L, 2L), List.copyOf(processes.values()));
                said.forEach(each -> assertEquals("20.0 6.0 6.0",
                        each.substring(each.indexOf(' ') + 1)));
            }
        }
    }
}
