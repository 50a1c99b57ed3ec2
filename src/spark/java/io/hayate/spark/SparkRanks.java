// SPDX-License-Identifier: Apache-2.0
package io.hayate.spark;

import io.hayate.Bootstrap;
import io.hayate.Hayate;
import io.hayate.internal.errors.Errors;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;

/**
 * Makes the tasks of a barrier stage of Spark the ranks of a job. Spark starts the tasks of such a
 * stage at the same time, and if one fails, starts all of them again.
 *
 * <!-- java: JavaRDD<double[]> rows; -->
 * <pre>{@code
 * double[] sums = SparkRanks.barrier(rows).mapPartitions(part -> {
 *     try (Hayate job = SparkRanks.join(); Fmpl fmpl = Fmpl.init(job)) {
 *         double[] sum = new double[100];
 *         part.forEachRemaining(row -> Arrays.setAll(sum, i -> sum[i] + row[i]));
 *         fmpl.allreduce(Span.of(sum), Reduction.DOUBLE_SUM);   // of all partitions
 *         return List.of(sum).iterator();
 *     }
 * }).collect().get(0);
 * }</pre>
 *
 * <p>The tasks may be processes, threads of one executor, or a mix of both, on any nodes.
 */
public final class SparkRanks {
    private SparkRanks() {
    }

    /**
     * Joins the job of all tasks of this barrier stage; collective over them. The rank is the
     * number of the partition. Takes at least 2 seconds: two times {@code allGather}, in which
     * Spark looks once in a second. Settings ({@code HAYATE_HEAP}, ..) are read from the
     * environment of the executor.
     *
     * <p>The task leaves the job by {@link Hayate#close}, or when it ends, however it ends. The
     * other ranks that wait for it then get {@link io.hayate.PeerFailedException}. When Spark has
     * given up the stage, it only marks the tasks that still run as killed; within half a second
     * their operations end with {@link io.hayate.ClosedException}.
     *
     * @return the job of this task; it is closed with the task at the latest. Any thread may use it
     * @throws io.hayate.StateException if the calling thread is not that of a task, or the task not
     *     one of a barrier stage
     * @throws io.hayate.LaunchException if the ranks cannot tell each other who they are, because a
     *     task has failed or was killed
     * @throws io.hayate.HayateException the other exceptions of {@link Hayate#init(Bootstrap)}
     */
    public static Hayate join() {
        BarrierTaskContext task = barrierTask();
        Bootstrap tasks = Bootstrap.of(task.partitionId(), task.getTaskInfos().length,
                record -> allGather(task, record));
        return TaskLife.bind(Hayate.init(tasks), task);
    }

    /**
     * Makes the stage that computes this RDD a barrier stage, from Java, whose RDDs have no method
     * {@code barrier()}. There must be as many free cores as partitions when the stage starts.
     *
     * @param <T> the type of the elements
     * @param rdd not null; it must not be computed from fewer partitions than its parents have, and
     *     dynamic allocation must be off, as Spark demands of barrier stages
     * @return the same elements in the same partitions
     */
    public static <T> JavaRDD<T> barrier(JavaRDD<T> rdd) {
        Errors.required(rdd, "RDD");
        return JavaRDD.fromRDD(
                rdd.rdd().barrier().mapPartitions(new Unchanged<T>(), true, rdd.classTag()),
                rdd.classTag());
    }

    private static BarrierTaskContext barrierTask() {
        TaskContext task = TaskContext.get();
        if (task == null) {
            throw Errors.exception(Errors.STATE, "this thread runs no task of Spark: call"
                    + " SparkRanks.join() inside of mapPartitions, on the task's own thread", -1);
        } else if (!(task instanceof BarrierTaskContext)) {
            throw Errors.exception(Errors.STATE, "stage " + task.stageId() + " is no barrier"
                    + " stage, so its tasks may run one after the other: use"
                    + " SparkRanks.barrier(rdd).mapPartitions, or rdd.barrier() in Scala", -1);
        }
        return (BarrierTaskContext) task;
    }

    private static List<byte[]> allGather(BarrierTaskContext task, byte[] record) {
        String[] all = task.allGather(Base64.getEncoder().encodeToString(record));
        return Arrays.stream(all).map(Base64.getDecoder()::decode).toList();
    }
}
