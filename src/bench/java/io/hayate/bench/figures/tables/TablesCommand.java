// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.tables;

import io.hayate.bench.figures.FigureCommand;
import io.hayate.bench.figures.Panels;
import io.hayate.bench.figures.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What processes and nodes keep of jobs of many ranks. */
@Command(name = "tables",
        mixinStandardHelpOptions = true,
        description = {"Measures the tables of simulated jobs: the bytes that a process and a node"
                + " keep, and the time of a lookup, against flat tables.",
            "It makes the tables of one process that has talked to some ranks of a job, and starts"
                    + " no ranks. 'form' is what describes the layout: a rule, the starts of"
                    + " ranges, or a list of all ranks."},
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  figure.sh tables --plot tables.svg",
            "  figure.sh tables --ranks 65536 --layouts random --per-node 128 --json"})
public final class TablesCommand extends FigureCommand {
    private static final String FLAT = "flat";
    private static final int MOST_RANKS = 1 << 20;
    private static final int MOST_PER_NODE = 2048;
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

    @Override
    public Integer call() {
        check();
        Report report = report(title(), "layout %7s", "ranks %8d", "form %7s", "node B %11d",
                "flat %11d", "tables B %11d", "process B %11d", "flat %14d", "ns %6.1f",
                "flat %6.1f", "find %6.1f", "flat %6.1f");
        List<TablesPoint> points = new ArrayList<>();
        for (TablesPoint.Layout layout : layouts) {
            for (int n : ranks.stream().distinct().sorted().toList()) {
                TablesPoint point = TablesPoint.measure(layout, n, perNode,
                        Math.min(partners, n - 1), millis / MILLIS_PER_SECOND);
                report.add(point.json(), layout.toString(), n, point.form(), point.nodeBytes(),
                        point.flatNodeBytes(), point.tableBytes(), point.processBytes(),
                        point.flatProcessBytes(), point.nanos(), point.flatNanos(),
                        point.findNanos(), point.flatFindNanos());
                points.add(point);
            }
        }
        if (plot != null) {
            draw(title(), points).write(plot);
        }
        return 0;
    }

    private void check() {
        require(!ranks.isEmpty(), "--ranks: expected at least one number");
        for (int n : ranks) {
            requireRange("--ranks", n, 2, MOST_RANKS);
        }
        require(!layouts.isEmpty(), "--layouts: expected at least one layout");
        requireRange("--per-node", perNode, 1, MOST_PER_NODE);
        requireRange("--partners", partners, 1, MOST_RANKS);
        requireRange("--min-time", millis, 1, MOST_MILLIS);
        Panels.check(plot);
    }

    private String title() {
        return "simulated: tables of one process, no ranks are started; " + perNode
                + " ranks on a node, " + partners + " partners (or all), FMPL with "
                + TablesPoint.ENTRIES + " entries";
    }

    /** What a process and a node keep, and the time of a lookup; flat tables are dashed. */
    static Panels draw(String subtitle, List<TablesPoint> points) {
        Panels picture = new Panels(
                "Tables of a job against its ranks: hierarchical, and flat (dashed)", subtitle,
                "ranks", List.of("bytes of a process", "bytes of a node",
                        "ns of a lookup of node and part"));
        picture.dash(FLAT, FLAT);
        for (TablesPoint point : points) {
            String curve = point.layout().toString();
            picture.add(0, curve, point.ranks(), point.processBytes());
            picture.add(1, curve, point.ranks(), point.nodeBytes());
            picture.add(2, curve, point.ranks(), point.nanos());
            if (point.layout() == points.get(0).layout()) {
                picture.add(0, FLAT, point.ranks(), point.flatProcessBytes());
                picture.add(1, FLAT, point.ranks(), point.flatNodeBytes());
                picture.add(2, FLAT, point.ranks(), point.flatNanos());
            }
        }
        return picture;
    }
}
