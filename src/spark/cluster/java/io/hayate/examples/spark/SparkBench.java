// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.spark;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.spark.SparkRanks;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Measures ranks inside Spark beside what Spark has for the same: scripts/bench/spark.sh. The
 * arguments are partitions, rows, features, bytes of a sum. Prints the rows of a table, with times
 * in milliseconds.
 */
public final class SparkBench {
    private static final int REPETITIONS = 5;
    private static final int SUMS = 20;
    private static final int ITERATIONS = 20;
    private static final double REGULARISATION = 0.01;
    private static final double ALWAYS = 0; // the tolerance that no gradient reaches

    private final JavaSparkContext spark;
    private final int parts;

    private SparkBench(JavaSparkContext spark, int parts) {
        this.spark = spark;
        this.parts = parts;
    }

    public static void main(String[] args) {
        Locale.setDefault(Locale.ROOT);
        int[] numbers = Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
        try (JavaSparkContext spark = new JavaSparkContext()) {
            SparkBench bench = new SparkBench(spark, numbers[0]);
            bench.join();
            bench.sums(numbers[3] / Double.BYTES);
            bench.regressions(numbers[1], numbers[2]);
        }
    }

    /** A row of the table: what, and the median of its times. */
    private static void print(String what, double[] times) {
        Arrays.sort(times);
        System.out.printf("| %s | %.2f | %.2f | %.2f |%n", what, times[0],
                times[times.length / 2], times[times.length - 1]);
    }

    private static double since(long start) {
        return (System.nanoTime() - start) / 1e6;
    }

    private static double[] repeat(int times, Runnable what) {
        return IntStream.range(0, times).mapToDouble(i -> {
            long start = System.nanoTime();
            what.run();
            return since(start);
        }).toArray();
    }

    private JavaRDD<Integer> numbers() {
        return spark.parallelize(IntStream.range(0, parts).boxed().toList(), parts);
    }

    private void join() {
        JavaRDD<Double> times = SparkRanks.barrier(numbers()).mapPartitions(part -> {
            long start = System.nanoTime();
            SparkRanks.join();
            return List.of(since(start)).iterator();
        });
        print("join", IntStream.range(0, REPETITIONS)
                .mapToDouble(i -> times.reduce(Math::max)).toArray());
    }

    private void sums(int length) {
        print("allreduce", SparkRanks.barrier(numbers()).mapPartitions(part -> {
            try (Hayate job = SparkRanks.join();
                    Fmpl fmpl = Fmpl.init(job);
                    SharedSums sums = new SharedSums(job, fmpl, length)) {
                double[] values = new double[length];
                sums.sum(values); // the first one touches memory
                return List.of(repeat(SUMS, () -> {
                    Arrays.fill(values, job.rank());
                    sums.sum(values);
                })).iterator();
            }
        }).collect().get(0));
        JavaRDD<double[]> values = numbers().map(i -> {
            double[] mine = new double[length];
            Arrays.fill(mine, i);
            return mine;
        }).cache();
        values.count();
        print("treeAggregate", repeat(SUMS, () -> sum(values)));
        print("treeAggregate and broadcast", repeat(SUMS, () -> {
            Broadcast<double[]> all = spark.broadcast(sum(values));
            numbers().map(i -> all.value()[i]).reduce(Math::max);
            all.destroy();
        }));
        values.unpersist(true);
    }

    /** With an empty zero: Spark sends a full one along with each task. */
    private static double[] sum(JavaRDD<double[]> values) {
        return values.treeAggregate(new double[0], SparkBench::add, SparkBench::add, 2);
    }

    private static double[] add(double[] a, double[] b) {
        if (a.length == 0) {
            return b.clone();
        }
        if (b.length > 0) {
            Vectors.add(1, b, 0, a, a.length);
        }
        return a;
    }

    private void regressions(int count, int features) {
        JavaRDD<double[]> rows = RandomRows.labelled(spark, count, features, parts).cache();
        rows.count();
        print("regression: allreduce", byRanks(rows, features));
        JavaRDD<double[][]> arrays = rows.mapPartitions(part -> List.<double[][]>of(
                LogisticRegression.array(part)).iterator()).cache();
        arrays.count();
        print("regression: treeAggregate", byTree(arrays, features));
        arrays.unpersist(true);
        rows.unpersist(true);
        print("regression: MLlib",
                byMlLib(RandomRows.labelled(spark, count, features, parts)));
    }

    /** For each evaluation of the loss, in the stage. */
    private double[] byRanks(JavaRDD<double[]> rows, int features) {
        return SparkRanks.barrier(rows).mapPartitions(part -> {
            double[][] mine = LogisticRegression.array(part);
            try (Hayate job = SparkRanks.join();
                    Fmpl fmpl = Fmpl.init(job);
                    SharedSums sums = new SharedSums(job, fmpl, LogisticLoss.words(features))) {
                Lbfgs.Loss loss = new LogisticLoss(features, REGULARISATION,
                        x -> sums.sum(LogisticLoss.part(mine, features, x)));
                return List.of(minima(loss, features)).iterator();
            }
        }).collect().get(0);
    }

    private double[] byTree(JavaRDD<double[][]> rows, int features) {
        return minima(new LogisticLoss(features, REGULARISATION, x -> {
            Broadcast<double[]> at = spark.broadcast(x);
            double[] sums = sum(rows.map(part -> LogisticLoss.part(part, features, at.value())));
            at.destroy();
            return sums;
        }), features);
    }

    private static double[] minima(Lbfgs.Loss loss, int features) {
        return IntStream.range(0, REPETITIONS).mapToDouble(i -> {
            long start = System.nanoTime();
            Lbfgs.Minimum found = Lbfgs.minimise(loss, new double[features + 1], ITERATIONS,
                    ALWAYS);
            return since(start) / found.evaluations();
        }).toArray();
    }

    /** From one evaluation of the loss to the next, in a second fit. */
    private double[] byMlLib(JavaRDD<double[]> rows) {
        Dataset<Row> all = MlLib.dataset(rows).cache();
        MlLib.train(all, REGULARISATION, ITERATIONS, ALWAYS);
        Evaluations evaluations = new Evaluations();
        spark.sc().addSparkListener(evaluations);
        MlLib.train(all, REGULARISATION, ITERATIONS, ALWAYS);
        long[] begun = evaluations.begun.stream().mapToLong(each -> each).toArray();
        return IntStream.range(1, begun.length).mapToDouble(i -> begun[i] - begun[i - 1])
                .toArray();
    }

    /** When MLlib has begun to evaluate its loss, which is a stage each, in milliseconds. */
    private static final class Evaluations extends SparkListener {
        final Queue<Long> begun = new ConcurrentLinkedQueue<>();

        @Override
        public void onStageSubmitted(SparkListenerStageSubmitted event) {
            if (event.stageInfo().name().contains("RDDLossFunction")) {
                begun.add((Long) event.stageInfo().submissionTime().get());
            }
        }
    }
}
