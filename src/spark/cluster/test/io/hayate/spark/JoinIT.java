// SPDX-License-Identifier: Apache-2.0
package io.hayate.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Reduction;
import io.hayate.Span;
import io.hayate.StateException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On two executors with one core each. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JoinIT {
    private static JavaSparkContext spark;
    private static JavaRDD<Integer> two;
    /** Of the last task of this process. */
    private static volatile Hayate last;

    @BeforeAll
    static void open() {
        spark = SparkCluster.shared().open(2, 1);
        two = spark.parallelize(List.of(10, 20), 2);
    }

    @AfterAll
    static void close() {
        spark.close();
    }

    /** Sum of the elements of all partitions, and who has it. */
    private static Iterator<String> sum(Iterator<Integer> part) {
        try (Hayate job = SparkRanks.join(); Fmpl fmpl = Fmpl.init(job)) {
            int[] sum = {0};
            part.forEachRemaining(each -> sum[0] += each);
            fmpl.allreduce(Span.of(sum), Reduction.INT_SUM);
            return List.of(job.rank() + "=" + TaskContext.getPartitionId() + "/" + job.size() + " "
                    + sum[0] + " " + ProcessHandle.current().pid()).iterator();
        }
    }

    @Test
    void should_make_partitions_ranks_stage_after_stage() {
        for (int stage = 0; stage < 3; stage++) {
            List<String> said = SparkRanks.barrier(two).mapPartitions(JoinIT::sum).collect();
            assertTrue(said.get(0).startsWith("0=0/2 30 "), said::toString);
            assertTrue(said.get(1).startsWith("1=1/2 30 "), said::toString);
            assertNotEquals(said.get(0).substring(9), said.get(1).substring(9));
        }
    }

    @Test
    void should_make_one_partition_a_job_of_one() {
        List<String> said = SparkRanks.barrier(spark.parallelize(List.of(1, 2), 1))
                .mapPartitions(JoinIT::sum).collect();
        assertTrue(said.get(0).startsWith("0=0/1 3 "), said::toString);
    }

    @Test
    void should_close_the_job_with_the_task() {
        SparkRanks.barrier(two).mapPartitions(part -> {
            last = SparkRanks.join();
            return part;
        }).count();
        List<String> jobs = two.mapPartitions(part -> List.of(last.toString()).iterator())
                .collect();
        assertEquals(2, jobs.size());
        jobs.forEach(job -> assertTrue(job.contains("closed"), job));
    }

    @Test
    void should_leave_no_thread_behind() {
        SparkRanks.barrier(two).mapPartitions(JoinIT::sum).count();
        List<String> threads = two.mapPartitions(part -> Thread.getAllStackTraces().keySet()
                .stream().map(Thread::getName).filter(name -> name.startsWith("hayate-task"))
                .iterator()).collect();
        assertEquals(List.of(), threads);
    }

    @Test
    void should_refuse_a_thread_that_runs_no_task() {
        String said = assertThrows(StateException.class, SparkRanks::join).getMessage();
        assertTrue(said.contains("runs no task of Spark"), said);
        List<String> other = SparkRanks.barrier(two).mapPartitions(part -> List.of(
                CompletableFuture.supplyAsync(JoinIT::refusal, command -> new Thread(command)
                        .start()).get()).iterator()).collect();
        assertEquals(said, other.get(1));
    }

    private static String refusal() {
        return assertThrowsHere().getMessage();
    }

    /** Executors have no JUnit. */
    private static StateException assertThrowsHere() {
        try (Hayate job = SparkRanks.join()) {
            throw new IllegalStateException("joined " + job);
        } catch (StateException expected) {
            return expected;
        }
    }

    @Test
    void should_refuse_a_stage_that_is_no_barrier() {
        List<String> said = two.mapPartitions(part -> List.of(refusal()).iterator()).collect();
        assertTrue(said.get(0).contains("no barrier stage"), said.get(0));
        assertTrue(said.get(0).contains("SparkRanks.barrier(rdd)"), said.get(0));
    }
}
