// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.Locale;

/** Formats microseconds. */
public final class Micros {
    private static final String[] UNITS = {"ns", "us", "ms", "s"};
    private static final double THOUSAND = 1e3;

    private Micros() {
    }

    /**
     * Formats a time with a suitable unit.
     *
     * @param micros at least 0, or NaN
     * @return "12.3 ms", three digits; "-" for NaN
     */
    public static String text(double micros) {
        if (Double.isNaN(micros)) {
            return "-";
        }
        double value = micros * THOUSAND;
        int unit = 0;
        for (; value >= THOUSAND && unit < UNITS.length - 1; unit++) {
            value /= THOUSAND;
        }
        return digits(value) + " " + UNITS[unit];
    }

    private static String digits(double value) {
        int decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f", value)
                .replaceAll("(\\.[0-9]*?)0+$", "$1").replaceAll("\\.$", "");
    }

    /**
     * Formats a time as a number of microseconds.
     *
     * @param micros at least 0, or NaN
     * @return "12.345", "-" for NaN
     */
    public static String plain(double micros) {
        return Double.isNaN(micros) ? "-" : String.format(Locale.ROOT, "%.3f", micros);
    }
}
