// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.spark.SparkCluster;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples beside MLlib, on two executors with two cores each. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExamplesIT {
    private static JavaSparkContext spark;

    @BeforeAll
    static void open() {
        spark = SparkCluster.shared().open(2, 2);
    }

    @AfterAll
    static void close() {
        spark.close();
    }

    @Test
    void should_find_the_regression_that_mllib_finds() {
        int features = 10;
        JavaRDD<double[]> rows = RandomRows.labelled(spark, 20_001, features, 4).cache();
        Lbfgs.Minimum ours = LogisticRegression.train(rows, features, 0.01, 200, 1e-8);
        LogisticRegressionModel theirs = MlLib.train(MlLib.dataset(rows), 0.01, 200, 1e-14);
        assertEquals(features + 1, ours.x().length);
        assertArrayEquals(MlLib.coefficients(theirs), ours.x(), 1e-6);
        double[] history = theirs.summary().objectiveHistory();
        assertEquals(history[history.length - 1], ours.value(), 1e-12);
        assertTrue(ours.x()[0] != 0);
    }

    @Test
    void should_find_the_clusters_that_mllib_finds() {
        Random random = new Random(3);
        double[][] start = Stream.generate(() -> random.doubles(5, 0, 10).toArray()).limit(8)
                .toArray(double[][]::new);
        JavaRDD<double[]> points = RandomRows.clustered(spark, 20_001, start, 4).cache();
        double[][] ours = KMeans.cluster(points, start, 15);
        double[][] theirs = MlLib.cluster(points, start, 15);
        for (int i = 0; i < start.length; i++) {
            assertArrayEquals(theirs[i], ours[i], 1e-9);
        }
    }
}
