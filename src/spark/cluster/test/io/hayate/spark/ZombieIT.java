// SPDX-License-Identifier: Apache-2.0
package io.hayate.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Reduction;
import io.hayate.Span;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tasks of a failed attempt that still run while the next attempt does: two executors have two
 * cores each, and a stage has two tasks.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ZombieIT {
    private static JavaSparkContext spark;

    @BeforeAll
    static void open() {
        spark = SparkCluster.shared().open(2, 2);
    }

    @AfterAll
    static void close() {
        spark.close();
    }

    /** What rank 0 does in the first attempt, which rank 1 lets fail. */
    private interface Zombie extends java.io.Serializable {
        void live(Notes notes) throws Exception;
    }

    private static int sum(int mine) {
        try (Hayate job = SparkRanks.join(); Fmpl fmpl = Fmpl.init(job)) {
            int[] sum = {mine};
            fmpl.allreduce(Span.of(sum), Reduction.INT_SUM);
            return sum[0];
        }
    }

    private static int work(Notes notes, Zombie zombie, boolean joins) throws Exception {
        BarrierTaskContext task = BarrierTaskContext.get();
        if (task.stageAttemptNumber() == 0 && task.partitionId() == 0) {
            zombie.live(notes);
        } else if (task.stageAttemptNumber() == 0) {
            if (joins) {
                Fmpl.init(SparkRanks.join()).barrier();
            }
            throw new IllegalStateException("a planted failure");
        }
        int sum = sum(task.partitionId() + 1);
        notes.write("summed");
        return sum;
    }

    private static void run(Notes notes, Zombie zombie, boolean joins) {
        List<Integer> sums = SparkRanks.barrier(spark.parallelize(List.of(0, 1), 2))
                .mapPartitions(part -> {
                    notes.write("begins");
                    return List.of(work(notes, zombie, joins)).iterator();
                }).repartition(1).collect();
        assertEquals(List.of(3, 3), sums);
    }

    /** Has joined the first attempt, and takes part in what it believes to be going on. */
    private static void staysInItsJob(Notes notes) throws Exception {
        Fmpl fmpl = Fmpl.init(SparkRanks.join());
        fmpl.barrier();
        notes.await("1 0 summed");
        try {
            fmpl.allreduce(Span.of(new int[] {1000}), Reduction.INT_SUM);
            notes.write("ends reduced");
        } catch (HayateException e) {
            notes.write("ends " + e.getClass().getSimpleName());
            throw e;
        }
    }

    /** Joins the first attempt when the second has begun. */
    private static void joinsLate(Notes notes) throws Exception {
        notes.await("1 0 begins");
        try {
            sum(1000);
            notes.write("ends joined");
        } catch (RuntimeException e) {
            notes.write("ends " + e.getClass().getSimpleName());
            throw e;
        }
    }

    @Test
    void should_not_meet_a_rank_of_the_last_attempt(@TempDir Path folder) throws Exception {
        Notes notes = new Notes(folder);
        run(notes, ZombieIT::staysInItsJob, true);
        String end = notes.await("0 0 ends")[3];
        assertTrue(end.matches("PeerFailedException|ClosedException"), end);
    }

    @Test
    void should_end_a_join_of_the_last_attempt(@TempDir Path folder) throws Exception {
        Notes notes = new Notes(folder);
        run(notes, ZombieIT::joinsLate, false);
        assertEquals("LaunchException", notes.await("0 0 ends")[3]);
    }
}
