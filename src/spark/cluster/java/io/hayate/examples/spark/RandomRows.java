// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.spark;

import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/** Random data that each partition makes for itself. */
final class RandomRows {
    private RandomRows() {
    }

    /** Rows of a label and features: by a model whose coefficients are random, too. */
    static JavaRDD<double[]> labelled(JavaSparkContext spark, int rows, int features, int parts) {
        double[] model = new Random(1).doubles(features, -1, 1).toArray();
        return partitions(spark, parts).flatMap(part -> {
            Random random = new Random(part);
            return IntStream.range(0, share(rows, parts, part)).mapToObj(i -> {
                double[] row = new double[features + 1];
                double margin = 0.5;
                for (int f = 1; f <= features; f++) {
                    row[f] = random.nextGaussian();
                    margin += model[f - 1] * row[f];
                }
                row[0] = random.nextDouble() < 1 / (1 + Math.exp(-margin)) ? 1 : 0;
                return row;
            }).iterator();
        });
    }

    /** Points around some random centres. */
    static JavaRDD<double[]> clustered(JavaSparkContext spark, int points, double[][] centres,
            int parts) {
        return partitions(spark, parts).flatMap(part -> {
            Random random = new Random(part);
            return IntStream.range(0, share(points, parts, part)).mapToObj(i -> {
                double[] point = centres[random.nextInt(centres.length)].clone();
                for (int f = 0; f < point.length; f++) {
                    point[f] += random.nextGaussian();
                }
                return point;
            }).iterator();
        });
    }

    private static JavaRDD<Integer> partitions(JavaSparkContext spark, int parts) {
        return spark.parallelize(IntStream.range(0, parts).boxed().toList(), parts);
    }

    private static int share(int all, int parts, int part) {
        return all / parts + (part < all % parts ? 1 : 0);
    }
}
