// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import io.hayate.bench.figures.Panels;
import io.hayate.bench.figures.Sizes;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Draws what ranks add against their number: page tables, and memory with page tables. */
final class FootprintPlot {
    private FootprintPlot() {
    }

    /** One comparison for each size of messages. */
    static Panels of(String title, List<Comparison> comparisons) {
        Panels picture = new Panels(title, "memory that ranks add to a launcher without ranks, each"
                + " address space once; N^x by least squares", "ranks",
                List.of("page tables, KiB", "memory and page tables, KiB"));
        for (Comparison one : comparisons) {
            for (Kind kind : Kind.values()) {
                add(picture, 0, one, kind, MemoryUse::pageTables);
                add(picture, 1, one, kind, MemoryUse::together);
            }
        }
        return picture;
    }

    private static void add(Panels picture, int panel, Comparison one, Kind kind,
            ToLongFunction<MemoryUse> quantity) {
        String curve = kind + ", " + Sizes.text(one.bytes());
        for (Footprint point : one.of(kind)) {
            picture.add(panel, curve, point.ranks(), quantity.applyAsLong(point.added()));
            picture.label(panel, curve, curve + ": "
                    + text(quantity.applyAsLong(point.added())) + power(one, kind, quantity));
        }
    }

    private static String power(Comparison one, Kind kind, ToLongFunction<MemoryUse> quantity) {
        double exponent = one.exponent(kind, quantity);
        return Double.isNaN(exponent) ? "" : String.format(Locale.ROOT, ", N^%.2f", exponent);
    }

    private static String text(long kib) {
        return kib >= 1 << 20 ? rounded(kib, 20, " GiB") : kib >= 1 << 10
                ? rounded(kib, 10, " MiB") : kib + " KiB";
    }

    private static String rounded(long kib, int shift, String unit) {
        return kib % (1L << shift) == 0 ? (kib >> shift) + unit
                : String.format(Locale.ROOT, "%.1f%s", (double) kib / (1L << shift), unit);
    }
}
