// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.output;

import java.util.Locale;

/** Numbers in a few characters, with decimal units: 9999, 12.3k, 1.00M, 250G. */
public final class Scaled {
    /** Up to here, a number is written with all its digits. */
    private static final long PLAIN = 10_000;
    private static final double STEP = 1000;
    private static final String[] UNITS = {"k", "M", "G", "T", "P", "E"};
    /** From {@code FULL[i]} on, a number with 2 - i decimals would be rounded to one digit more. */
    private static final double[] FULL = {9.995, 99.95};

    private Scaled() {
    }

    public static String of(long number) {
        return Math.abs(number) < PLAIN ? Long.toString(number) : scaled(number);
    }

    /** With one decimal below 10000. */
    public static String of(double number) {
        return Math.abs(number) < PLAIN - 0.05 ? String.format(Locale.ROOT, "%.1f", number)
                : scaled(number);
    }

    /** Three digits. */
    private static String scaled(double number) {
        double rest = number / STEP;
        int unit = 0;
        while (Math.abs(rest) >= STEP - 0.5 && unit + 1 < UNITS.length) {
            rest /= STEP;
            unit++;
        }
        double size = Math.abs(rest);
        int decimals = size < FULL[0] ? 2 : size < FULL[1] ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f%s", rest, UNITS[unit]);
    }
}
