// SPDX-License-Identifier: Apache-2.0
package io.hayate.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Reduction;
import io.hayate.Span;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks and executors that fail, on two executors with one core each. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FaultIT {
    private static final int ENOUGH = 100; // allreduces

    private static JavaSparkContext spark;
    private static JavaRDD<Integer> two;

    @BeforeAll
    static void open() {
        spark = SparkCluster.shared().open(2, 1);
        two = spark.parallelize(List.of(0, 1), 2);
    }

    @AfterAll
    static void close() {
        spark.close();
    }

    /** What rank 1 does in the first attempt of a stage, while the other is in allreduces. */
    private interface Fault extends java.io.Serializable {
        void happen() throws Exception;
    }

    /** A job that no task closes. Returns the sum of the last allreduce. */
    private static int work(Notes notes, Fault fault) throws Exception {
        Hayate job = SparkRanks.join();
        Fmpl fmpl = Fmpl.init(job);
        boolean fails = fault != null && BarrierTaskContext.get().stageAttemptNumber() == 0;
        int[] sum = new int[1 << 10];
        for (int i = 0; fails || i < ENOUGH; i++) {
            if (fails && job.rank() == 1 && i == ENOUGH) {
                notes.write("fails");
                fault.happen();
            }
            try {
                Arrays.fill(sum, job.rank() + 1);
                fmpl.allreduce(Span.of(sum), Reduction.INT_SUM);
            } catch (HayateException e) {
                notes.write(e.getClass().getSimpleName());
                throw e;
            }
        }
        return sum[0];
    }

    /** Spark runs a barrier stage again only if a shuffle follows. */
    private static JavaRDD<Integer> stage(Notes notes, Fault fault) {
        return SparkRanks.barrier(two)
                .mapPartitions(part -> List.of(work(notes, fault)).iterator()).repartition(1);
    }

    private static void kill() throws Exception {
        new ProcessBuilder("kill", "-9", String.valueOf(ProcessHandle.current().pid())).start();
        Thread.sleep(60_000);
    }

    @Test
    void should_tell_the_others_that_a_task_has_failed_and_run_the_stage_again(
            @TempDir Path folder) throws Exception {
        Notes notes = new Notes(folder);
        assertEquals(List.of(3, 3), stage(notes, () -> {
            throw new IllegalStateException("a planted failure");
        }).collect());
        long after = notes.time("0 0 PeerFailedException") - notes.time("0 1 fails");
        assertTrue(after < 1000, after + " ms");
    }

    @Test
    void should_tell_the_others_within_a_second_that_an_executor_was_killed(
            @TempDir Path folder) throws Exception {
        long[] after = new long[3];
        for (int i = 0; i < after.length; i++) {
            Notes notes = new Notes(folder.resolve("kill" + i));
            assertTrue(folder.resolve("kill" + i).toFile().mkdir());
            assertEquals(List.of(3, 3), stage(notes, FaultIT::kill).collect());
            after[i] = notes.time("0 0 PeerFailedException") - notes.time("0 1 fails");
        }
        Arrays.sort(after);
        assertTrue(after[1] < 1000, Arrays.toString(after));
    }

    @Test
    void should_end_the_waits_of_a_cancelled_stage(@TempDir Path folder) throws Exception {
        Notes notes = new Notes(folder);
        spark.setJobGroup("waiting", "ranks that wait for each other");
        JavaFutureAction<List<Integer>> waiting = SparkRanks.barrier(two).mapPartitions(part -> {
            Hayate job = SparkRanks.join();
            Fmpl fmpl = Fmpl.init(job);
            notes.write("waits");
            try {
                fmpl.recv(Span.of(new int[1]), 1 - job.rank(), 0);
            } finally {
                notes.write("ends");
            }
            return part;
        }).collectAsync();
        notes.await("0 0 waits");
        notes.await("0 1 waits");
        long cancelled = System.currentTimeMillis();
        spark.cancelJobGroup("waiting");
        spark.clearJobGroup();
        assertThrows(Exception.class, waiting::get);
        for (int rank = 0; rank < 2; rank++) {
            long after = notes.time("0 " + rank + " ends") - cancelled;
            assertTrue(after < 5000, after + " ms");
        }
        assertEquals(List.of(3, 3), stage(notes, null).collect());
    }
}
