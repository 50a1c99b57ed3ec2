// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.spark;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.spark.SparkRanks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;

/**
 * A logistic regression on the rows of an RDD. Each partition stays with its task, which evaluates
 * the gradient of its rows; the gradients become one by a persistent allreduce, and every task does
 * the same step of L-BFGS with it. One stage of Spark does all iterations.
 */
public final class LogisticRegression {
    private LogisticRegression() {
    }

    /**
     * Minimises the mean loss plus half the regularisation times the squared coefficients.
     *
     * @param rows a label, 0 or 1, and the features; as many partitions as there are cores at most
     * @return the coefficients, and the intercept behind them; also the minimum and how often it
     *     was evaluated
     */
    static Lbfgs.Minimum train(JavaRDD<double[]> rows, int features, double regularisation,
            int iterations, double tolerance) {
        return SparkRanks.barrier(rows).mapPartitions(part -> {
            double[][] mine = array(part);
            try (Hayate job = SparkRanks.join();
                    Fmpl fmpl = Fmpl.init(job);
                    SharedSums sums = new SharedSums(job, fmpl, LogisticLoss.words(features))) {
                Lbfgs.Minimum found = Lbfgs.minimise(
                        new LogisticLoss(features, regularisation, x -> sums.sum(
                                LogisticLoss.part(mine, features, x))),
                        new double[features + 1], iterations, tolerance);
                return ofRankZero(job, found);
            }
        }).repartition(1).collect().get(0); // Spark runs a stage again if a shuffle follows it
    }

    static double[][] array(Iterator<double[]> part) {
        List<double[]> rows = new ArrayList<>();
        part.forEachRemaining(rows::add);
        return rows.toArray(double[][]::new);
    }

    /** All ranks have the same result. */
    static <T> Iterator<T> ofRankZero(Hayate job, T result) {
        return job.rank() == 0 ? List.of(result).iterator() : Collections.emptyIterator();
    }
}
