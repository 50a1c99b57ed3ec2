// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

/**
 * A number of the model.
 *
 * @param name of the term
 * @param unit ns or B/ns
 * @param bytes of the curve's point; 0: it is no curve
 * @param value measured, or the default where it could not be
 * @param error half of the range of the passes
 * @param before by the file that was there, or by default
 */
public record TunedNumber(String name, String unit, long bytes, double value, double error,
        double before) {
    /**
     * How it changed.
     *
     * @return value through the one before
     */
    public double ratio() {
        return before > 0 ? value / before : 1;
    }
}
