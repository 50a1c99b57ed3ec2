// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.cli.footprint.Comparison;
import io.hayate.cli.footprint.Footprint;
import io.hayate.cli.footprint.Kind;
import io.hayate.cli.footprint.MemoryUse;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Prints the memory of each job as soon as it is known, and the growth at the end. */
final class FootprintReport {
    private static final String ROW = "%6s  %-9s %6s %11s %9s %11s %9s %11s %11s %9s%n";

    private final PrintWriter out;
    private final boolean json;

    FootprintReport(PrintWriter out, boolean json) {
        this.out = out;
        this.json = json;
    }

    void begin(String what) {
        if (!json) {
            out.printf("%s; KiB%n", what);
            out.printf(ROW, "", "", "", "memory", "", "page tables", "", "machine", "its page",
                    "rounds");
            out.printf(ROW, "ranks", "as", "bytes", "in all", "a rank", "in all", "a rank",
                    "in all", "tables", "s");
            out.flush();
        }
    }

    void add(Footprint one) {
        if (json) {
            out.print(Json.of(one.json()) + "\n");
        } else {
            MemoryUse added = one.added();
            out.printf(ROW, one.ranks(), one.kind(), ByteSizes.text(one.bytes()),
                    one.total().memory(), decimal(one.perRank(added.memory())),
                    one.total().pageTables(), decimal(one.perRank(added.pageTables())),
                    one.system().memory(), one.system().pageTables(),
                    String.format(Locale.ROOT, "%.2f", one.seconds()));
        }
        out.flush();
    }

    void addFailed(Kind kind, int ranks, int bytes) {
        if (!json) {
            out.printf(ROW, ranks, kind, ByteSizes.text(bytes), "-", "-", "-", "-", "-", "-", "-");
            out.flush();
        }
    }

    void end(List<Comparison> comparisons) {
        if (json) {
            comparisons.forEach(one -> out.print(Json.of(one.json()) + "\n"));
        } else {
            comparisons.forEach(this::addGrowth);
            out.print("memory and page tables: of the launcher and its ranks, each address space"
                    + " once (proportional set\nsize, VmPTE); a rank: without the memory of the"
                    + " launcher alone, as for the powers below; machine:\nchange of the machine's"
                    + " memory since just before the start, including other programs\n");
        }
        out.flush();
    }

    private void addGrowth(Comparison one) {
        String size = ByteSizes.text(one.bytes()) + ": ";
        out.print(size + "page tables grow as " + powers(one, true) + "; memory as "
                + powers(one, false) + "\n");
        one.mostRanks().ifPresent(ranks -> out.printf(Locale.ROOT, "%sof %d ranks tasks add %.3f"
                + " of the page tables that processes add, %.3f of the memory, %.3f of both%n",
                size, ranks, one.ratio(ranks, MemoryUse::pageTables),
                one.ratio(ranks, MemoryUse::memory), one.ratio(ranks, MemoryUse::together)));
    }

    private static String powers(Comparison one, boolean pageTables) {
        StringBuilder text = new StringBuilder();
        for (Kind kind : Kind.values()) {
            double exponent = one.exponent(kind, pageTables ? MemoryUse::pageTables
                    : MemoryUse::memory);
            text.append(text.isEmpty() ? "" : ", ").append(power(exponent)).append(" (")
                    .append(kind).append(')');
        }
        return text.toString();
    }

    private static String power(double exponent) {
        return Double.isNaN(exponent) ? "N^-" : String.format(Locale.ROOT, "N^%.2f", exponent);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
