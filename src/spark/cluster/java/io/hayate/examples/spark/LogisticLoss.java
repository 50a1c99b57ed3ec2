// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.spark;

import java.util.function.UnaryOperator;

/**
 * The loss of a logistic regression: the mean of the losses of all rows, and half the
 * regularisation times the square of the coefficients, without the intercept.
 */
final class LogisticLoss implements Lbfgs.Loss {
    private final int features;
    private final double regularisation;
    private final UnaryOperator<double[]> sumsAt;

    /** `sumsAt` adds up what {@link #part} returns, over all rows. */
    LogisticLoss(int features, double regularisation, UnaryOperator<double[]> sumsAt) {
        this.features = features;
        this.regularisation = regularisation;
        this.sumsAt = sumsAt;
    }

    /** Of the gradient with that of the intercept, the loss, and the number of rows. */
    static int words(int features) {
        return features + 3;
    }

    /** The sums over some rows, each a label, 0 or 1, and the features. */
    static double[] part(double[][] rows, int features, double[] x) {
        double[] sums = new double[words(features)];
        for (double[] row : rows) {
            double margin = x[features] + Vectors.dot(row, 1, x, features);
            double towards = row[0] > 0 ? margin : -margin;
            double factor = (row[0] > 0 ? -1 : 1) / (1 + Math.exp(towards));
            Vectors.add(factor, row, 1, sums, features);
            sums[features] += factor;
            sums[features + 1] += towards > 0 ? Math.log1p(Math.exp(-towards))
                    : Math.log1p(Math.exp(towards)) - towards;
        }
        sums[features + 2] = rows.length;
        return sums;
    }

    @Override
    public double at(double[] x, double[] gradient) {
        double[] sums = sumsAt.apply(x);
        double count = sums[features + 2];
        for (int i = 0; i <= features; i++) {
            gradient[i] = sums[i] / count;
        }
        Vectors.add(regularisation, x, 0, gradient, features);
        return sums[features + 1] / count
                + regularisation / 2 * Vectors.dot(x, 0, x, features);
    }
}
