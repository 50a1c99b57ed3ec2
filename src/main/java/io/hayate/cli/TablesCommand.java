// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.Fmpl;
import io.hayate.cli.perf.TablesPlot;
import io.hayate.cli.perf.TablesPoint;
import io.hayate.internal.NativeLoader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hayate perf tables}: what processes and nodes keep of jobs of many ranks. */
@Command(name = "tables",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {"Measures the tables of simulated jobs: the bytes that a process and a node"
                + " keep, and the time of a lookup, against flat tables.",
            "It makes the tables of one process that has talked to some ranks of a job, and starts"
                    + " no ranks. 'form' is what describes the layout: a rule, the starts of"
                    + " ranges, or a list of all ranks."},
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  hayate perf tables --plot tables.svg",
            "  hayate perf tables --ranks 65536 --layouts random --per-node 128 --json"})
final class TablesCommand extends CheckedCommand {
    private static final int MOST_RANKS = 1 << 20;
    private static final int MOST_PER_NODE = 2048;
    private static final int MOST_MILLIS = 60_000;
    private static final double MILLIS_PER_SECOND = 1000;

    @Option(names = "--ranks", paramLabel = "N", split = ",",
            description = "Numbers of ranks, 2 to 1048576 (default 64,4096,65536,1000000).")
    private List<Integer> ranks = List.of(64, 4096, 65_536, 1_000_000);

    @Option(names = "--layouts", paramLabel = "L", split = ",",
            description = "Any of block, cyclic, ranges (of unequal lengths) and random (default:"
                    + " all of them).")
    private List<TablesPoint.Layout> layouts = List.of(TablesPoint.Layout.values());

    @Option(names = "--per-node", paramLabel = "P", defaultValue = "64",
            description = "Ranks of a node, in the mean (default 64).")
    private int perNode;

    @Option(names = "--partners", paramLabel = "K", defaultValue = "100",
            description = "Ranks to which the process has talked (default 100, or all).")
    private int partners;

    @Option(names = "--min-time", paramLabel = "MS", defaultValue = "20",
            description = "Time for each kind of lookup, in milliseconds (default 20).")
    private int millis;

    @Option(names = "--plot", paramLabel = "FILE",
            description = "Draw the results against the number of ranks (SVG).")
    private Path plot;

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    @Override
    public Integer call() {
        check();
        NativeLoader.load();
        List<TablesPoint> points = new ArrayList<>();
        for (TablesPoint.Layout layout : layouts) {
            for (int n : ranks.stream().distinct().sorted().toList()) {
                TablesPoint point = measure(layout, n);
                print(point, points.isEmpty());
                points.add(point);
            }
        }
        if (plot != null) {
            Picture.write(plot, new TablesPlot(title(), points).draw());
        }
        return 0;
    }

    private void check() {
        requireNothingBefore();
        require(!ranks.isEmpty(), "--ranks: expected at least one number");
        for (int n : ranks) {
            requireRange("--ranks", n, 2, MOST_RANKS);
        }
        require(!layouts.isEmpty(), "--layouts: expected at least one layout");
        requireRange("--per-node", perNode, 1, MOST_PER_NODE);
        requireRange("--partners", partners, 1, MOST_RANKS);
        requireRange("--min-time", millis, 1, MOST_MILLIS, " milliseconds");
        Picture.check(plot);
    }

    private TablesPoint measure(TablesPoint.Layout layout, int n) {
        try {
            return TablesPoint.measure(layout, n, perNode, Math.min(partners, n - 1),
                    Fmpl.DEFAULT_COUNT, millis / MILLIS_PER_SECOND);
        } catch (IllegalStateException e) {
            throw new CommandFailure(e.getMessage());
        }
    }

    private String title() {
        return "simulated: tables of one process, no ranks are started; " + perNode
                + " ranks on a node, " + partners + " partners (or all), FMPL with "
                + Fmpl.DEFAULT_COUNT + " entries";
    }

    private void print(TablesPoint point, boolean first) {
        PrintWriter out = out();
        if (json) {
            out.print(Json.of(point.json()) + "\n");
        } else {
            if (first) {
                out.printf("%s%n", title());
                out.printf("%7s %8s %7s | %11s %11s | %11s %11s %14s | %6s %6s | %6s %6s%n",
                        "layout", "ranks", "form", "node B", "flat", "tables B", "process B",
                        "flat", "ns", "flat", "find", "flat");
            }
            out.printf(Locale.ROOT, "%7s %8d %7s | %11d %11d | %11d %11d %14d | %6.1f %6.1f | %6.1f"
                    + " %6.1f%n", point.layout(), point.ranks(), point.form(), point.nodeBytes(),
                    point.flatNodeBytes(), point.tableBytes(), point.processBytes(),
                    point.flatProcessBytes(), point.nanos(), point.flatNanos(), point.findNanos(),
                    point.flatFindNanos());
        }
        out.flush();
    }
}
