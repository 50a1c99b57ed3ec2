// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import java.util.ArrayList;
import java.util.List;

/** Estimates how a quantity grows with the number of ranks: the power of N that fits best. */
public final class Growth {
    private final List<double[]> points = new ArrayList<>();

    /**
     * Adds a point; a point without a logarithm is ignored.
     *
     * @param ranks N
     * @param quantity the amount that N ranks add
     * @return this
     */
    public Growth add(int ranks, double quantity) {
        if (ranks > 0 && quantity > 0) {
            points.add(new double[] {Math.log(ranks), Math.log(quantity)});
        }
        return this;
    }

    /**
     * Returns the slope of the straight line through the logarithms, by least squares.
     *
     * @return x of N^x; NaN when there are not two different N
     */
    public double exponent() {
        double meanX = mean(0);
        double meanY = mean(1);
        double above = 0;
        double below = 0;
        for (double[] point : points) {
            above += (point[0] - meanX) * (point[1] - meanY);
            below += (point[0] - meanX) * (point[0] - meanX);
        }
        return below > 0 ? above / below : Double.NaN;
    }

    private double mean(int coordinate) {
        return points.stream().mapToDouble(point -> point[coordinate]).average().orElse(0);
    }
}
