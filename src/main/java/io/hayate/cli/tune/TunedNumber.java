// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

/**
 * A number of the cost model.
 *
 * @param name name of the term
 * @param unit ns or B/ns
 * @param bytes point of a curve; 0: it is not a curve
 * @param value the measured value, or the default if it could not be measured
 * @param error half of the range of the passes
 * @param before value in the previous file, or the default
 */
public record TunedNumber(String name, String unit, long bytes, double value, double error,
        double before) {
    /**
     * Returns how it changed.
     *
     * @return value divided by the previous one
     */
    public double ratio() {
        return before > 0 ? value / before : 1;
    }
}
