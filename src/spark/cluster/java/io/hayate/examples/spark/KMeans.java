// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.spark;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.spark.SparkRanks;
import java.util.Arrays;
import org.apache.spark.api.java.JavaRDD;

/**
 * Lloyd's algorithm on the points of an RDD. Each task assigns the points of its partition; sums
 * and numbers of the points of each cluster become those of all tasks by a persistent allreduce.
 */
public final class KMeans {
    private final double[][] points;
    private final double[][] centres;
    private final double[] sums; // for each cluster, the sum of its points and their number

    private KMeans(double[][] points, double[][] start) {
        this.points = points;
        centres = Arrays.stream(start).map(double[]::clone).toArray(double[][]::new);
        sums = new double[start.length * (start[0].length + 1)];
    }

    /**
     * Moves centres to the means of the points that are nearest to them, again and again.
     *
     * @param points of as many coordinates as the centres
     * @param start the first centres, at least one
     * @return the centres after so many rounds; one that has no points stays
     */
    static double[][] cluster(JavaRDD<double[]> points, double[][] start, int rounds) {
        return SparkRanks.barrier(points).mapPartitions(part -> {
            KMeans mine = new KMeans(LogisticRegression.array(part), start);
            try (Hayate job = SparkRanks.join();
                    Fmpl fmpl = Fmpl.init(job);
                    SharedSums shared = new SharedSums(job, fmpl, mine.sums.length)) {
                for (int round = 0; round < rounds; round++) {
                    mine.assign();
                    shared.sum(mine.sums);
                    mine.move();
                }
                return LogisticRegression.ofRankZero(job, mine.centres);
            }
        }).repartition(1).collect().get(0);
    }

    private void assign() {
        Arrays.fill(sums, 0);
        for (double[] point : points) {
            int at = nearest(point) * (point.length + 1);
            for (int i = 0; i < point.length; i++) {
                sums[at + i] += point[i];
            }
            sums[at + point.length]++;
        }
    }

    private int nearest(double[] point) {
        int nearest = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int c = 0; c < centres.length; c++) {
            double distance = 0;
            for (int i = 0; i < point.length; i++) {
                double d = point[i] - centres[c][i];
                distance += d * d;
            }
            if (distance < least) {
                least = distance;
                nearest = c;
            }
        }
        return nearest;
    }

    private void move() {
        for (int c = 0; c < centres.length; c++) {
            int length = centres[c].length;
            double count = sums[c * (length + 1) + length];
            for (int i = 0; i < length && count > 0; i++) {
                centres[c][i] = sums[c * (length + 1) + i] / count;
            }
        }
    }
}
