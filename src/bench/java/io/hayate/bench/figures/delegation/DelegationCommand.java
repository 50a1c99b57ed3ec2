// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.delegation;

import com.google.gson.JsonObject;
import io.hayate.bench.figures.Failure;
import io.hayate.bench.figures.FigureCommand;
import io.hayate.bench.figures.Panels;
import io.hayate.bench.figures.Ranks;
import io.hayate.bench.figures.Report;
import io.hayate.bench.figures.Sizes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures messages between two nodes, delegated and not. */
@Command(name = "delegation",
        mixinStandardHelpOptions = true,
        description = {"Measures messages between two nodes, without delegatees and with delegatees"
        + " that poll, that sleep (interrupt), and that do both (adaptive)."
        + " It starts jobs of 'hayate perf pingpong': each side writes what it sends"
                    + " and reads what it receives.",
            "Both nodes are this machine, with libfabric's tcp between them, unless HAYATE_NET"
                    + " or HAYATE_OFI_PROVIDER says otherwise. It needs mpiexec.hydra. A round"
                    + " measures all cases one after the other; the results are medians of"
                    + " rounds. A ratio is the median divided by the one without delegatees.",
            "With --alltoall it measures an alltoall of eight nodes instead, of one rank each:"
                    + " bytes are those of a block, times those of a call.",
            "With --overlap it measures instead how much of a communication is hidden (as the"
                    + " figure overlap does in one job), with --bursts messages in bursts (as"
                    + " bursts).",
            "With --bursts, the ratio is that of adaptive to the better one of poll and"
                    + " interrupt."},
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  figure.sh delegation --plot delegation.svg",
            "  figure.sh delegation --modes none,poll --wait block --bytes 8:64K --json",
            "  figure.sh delegation --alltoall --nodes 4 --modes none,poll",
            "  figure.sh delegation --overlap",
            "  figure.sh delegation --bursts --rounds 5"})
public final class DelegationCommand extends FigureCommand {
    private static final int MOST_ROUNDS = 1000;
    private static final int LEAST_BYTES = 8;
    private static final int MOST_NODES = 64;
    private static final int NODES_OF_ALLTOALL = 8;
    static final String NONE = "none";
    private static final String HAYATE = "io.hayate.cli.Start"; // the command line
    private static final List<String> MODES = List.of(NONE, "poll", "interrupt", "adaptive");
    private static final List<String> BUFFERS = List.of("heap", "direct", "array");
    private static final List<String> WAITS = List.of("adaptive", "block", "spin");

    @Option(names = "--bytes", paramLabel = "SIZES", converter = Sizes.class,
            description = "Sizes such as 8,128,2K, or a:b for a, 2a, 4a .. b (default 8,64,512,4K,"
                    + "16K,64K,256K,1M,4M).")
    private Sizes sizes = Sizes.of("8,64,512,4K,16K,64K,256K,1M,4M");

    @Option(names = "--modes", paramLabel = "MODES", split = ",",
            description = "none (no delegatees), poll, interrupt, adaptive (default all).")
    private List<String> modes = MODES;

    @Option(names = "--wait", paramLabel = "WAITS", split = ",",
            description = "How the ranks wait (HAYATE_WAIT): adaptive, block, spin (default"
                    + " adaptive, and block as well on fewer than two CPUs for each node).")
    private List<String> waits;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3",
            description = "Number of rounds (default 3).")
    private int rounds;

    @Option(names = "--buffers", paramLabel = "KIND", defaultValue = "heap",
            description = "heap (symmetric heap, default), direct (ByteBuffer) or array"
                    + " (double[]).")
    private String buffers;

    @Option(names = "--min-time", paramLabel = "MS", defaultValue = "100",
            description = "Time for the samples of each size in a round, in milliseconds (default"
                    + " 100).")
    private int millis;

    @Option(names = "--alltoall", description = "Measure an alltoall of several nodes instead.")
    private boolean alltoall;

    @Option(names = "--nodes", paramLabel = "N",
            description = "With --alltoall: number of nodes, 2 to 64 (default 8).")
    private Integer nodes;

    @Option(names = "--overlap", description = "Measure how much of a communication is hidden"
            + " instead, with SerialGC and with G1; see also --progress and --place.")
    private boolean overlap;

    @Option(names = "--place", paramLabel = "WORDS", split = ",",
            description = "With --overlap: any (all processes may use all CPUs), apart (rank 0,"
                    + " which alone works, has a CPU, and the other rank and the delegatees have"
                    + " another one) (default both).")
    private List<String> places;

    @Option(names = "--progress", paramLabel = "WORDS", split = ",",
            description = "With --overlap: caller and thread (no delegatees), delegated (default"
                    + " all).")
    private List<String> progress;

    @Option(names = "--bursts", description = "Measure messages in bursts instead, with pauses"
            + " between them; see also --pauses.")
    private boolean bursts;

    @Option(names = "--pauses", paramLabel = "US", split = ",",
            description = "With --bursts: pauses in microseconds (default 0,50,1000,20000).")
    private List<Integer> pauses;

    @Option(names = "--plot", paramLabel = "FILE",
            description = "Draw latency and bandwidth against the size (SVG).")
    private Path plot;

    @Override
    public Integer call() {
        check();
        int cpus = Runtime.getRuntime().availableProcessors();
        if (nodes == null) {
            nodes = alltoall ? NODES_OF_ALLTOALL : 2;
        }
        if (waits == null) {
            waits = areShared(cpus, nodes) ? List.of("adaptive", "block") : List.of("adaptive");
        }
        if (overlap) {
            return overlap(cpus);
        }
        if (bursts) {
            return bursts(cpus);
        }
        List<DelegationPoint> points = points(measure());
        print(points, cpus);
        if (plot != null) {
            draw(points, cpus).write(plot);
        }
        return 0;
    }

    private int overlap(int cpus) {
        List<String> chosen = places == null ? OverlapJobs.places(cpus) : places;
        return new OverlapJobs(report("overlap, 2 nodes on this machine, rounds: " + rounds
                + ", medians" + OverlapJobs.explain(chosen, cpus), "processes %-9s",
                "ranks wait %-10s", "collector %-9s", "progress %-9s", "operation %-9s",
                "while %-7s", "alone ms %9.2f", "work ms %9.2f", "both ms %9.2f", "hidden %6s"),
                waits, progress, chosen, cpus).run(rounds);
    }

    private int bursts(int cpus) {
        return new BurstJobs(report("bursts, 2 nodes on this machine, half round trips, medians of "
                + rounds + " rounds\n" + places(cpus, 2) + "\n", "ranks wait %-10s",
                "pause us %8d", "delegatee %-9s", "median us %9.1f", "p99 us %9.1f",
                "first us %9.1f", "CPU %5s", "ratio %5s"), waits, modes,
                pauses == null ? null : pauses.stream().map(String::valueOf).toList(), cpus)
                .run(rounds);
    }

    private void check() {
        require(!Ranks.isRank(), "delegation starts jobs itself: run it outside a job, or 'hayate"
                + " perf pingpong' in one");
        requireWords("--modes", modes, MODES);
        requireWords("--buffers", List.of(buffers), BUFFERS);
        if (waits != null) {
            requireWords("--wait", waits, WAITS);
        }
        require(progress == null || overlap, "--progress is for --overlap only");
        if (progress != null) {
            requireWords("--progress", progress, OverlapJobs.PROGRESS);
        }
        require(places == null || overlap, "--place is for --overlap only");
        if (places != null) {
            requireWords("--place", places, OverlapJobs.PLACES);
        }
        require(plot == null || !overlap && !bursts, "--plot: --overlap and --bursts are not"
                + " drawn");
        require((overlap ? 1 : 0) + (bursts ? 1 : 0) + (alltoall ? 1 : 0) <= 1,
                "--alltoall, --overlap and --bursts: expected one of them");
        require(nodes == null || alltoall, "--nodes is for --alltoall only");
        if (nodes != null) {
            requireRange("--nodes", nodes, 2, MOST_NODES);
        }
        require(pauses == null || bursts, "--pauses is for --bursts only");
        if (pauses != null) {
            pauses.forEach(pause -> requireRange("--pauses", pause, 0, BurstsCommand.MOST_PAUSE));
        }
        for (int bytes : sizes.bytes()) {
            require(bytes >= LEAST_BYTES, "--bytes " + bytes + ": expected 8 or more");
        }
        requireRange("--rounds", rounds, 1, MOST_ROUNDS);
        requireRange("--min-time", millis, 1, MOST_MILLIS);
        Panels.check(plot);
    }

    // ---- measuring ----

    private record Case(String waiting, String mode, int bytes) {
    }

    /** All cases in each round, so that a change of the machine concerns all modes. */
    private Map<Case, List<DelegationPoint.Round>> measure() {
        Map<Case, List<DelegationPoint.Round>> all = new LinkedHashMap<>();
        String words = String.join(",", sizes.bytes().stream().map(String::valueOf).toList());
        LocalNodes jobs = new LocalNodes(nodes, Ranks.java(List.of(), HAYATE, "perf",
                alltoall ? "alltoall" : "pingpong", "--json", "--bytes", words, "--buffers",
                buffers, "--min-time", String.valueOf(millis)));
        for (int round = 0; round < rounds; round++) {
            for (String wait : waits) {
                for (String mode : modes) {
                    jobs.run(!mode.equals(NONE), environment(mode, wait), line -> {
                        JsonObject of = Report.read(line, "bytes", "min_us", "median_us",
                                "p99_us");
                        all.computeIfAbsent(new Case(wait, mode, of.get("bytes").getAsInt()),
                                key -> new ArrayList<>()).add(new DelegationPoint.Round(
                                        of.get("min_us").getAsDouble(),
                                        of.get("median_us").getAsDouble(),
                                        of.get("p99_us").getAsDouble()));
                    });
                }
            }
        }
        return all;
    }

    static Map<String, String> environment(String mode, String wait) {
        Map<String, String> variables = new HashMap<>();
        variables.put("HAYATE_WAIT", wait);
        variables.put("HAYATE_DELEGATE", null);
        variables.put("HAYATE_DELEGATE_WAIT", mode.equals(NONE) ? null : mode);
        return variables;
    }

    private List<DelegationPoint> points(Map<Case, List<DelegationPoint.Round>> measured) {
        List<DelegationPoint> points = new ArrayList<>();
        for (String wait : waits) {
            for (int bytes : sizes.bytes().stream().distinct().toList()) {
                List<DelegationPoint.Round> base =
                        measured.getOrDefault(new Case(wait, NONE, bytes), List.of());
                for (String mode : modes) {
                    List<DelegationPoint.Round> all = measured.get(new Case(wait, mode, bytes));
                    if (all == null) {
                        throw new Failure("no result for " + bytes + " bytes, " + mode);
                    }
                    points.add(DelegationPoint.of(mode, wait, bytes, alltoall ? nodes : 1, all,
                            base));
                }
            }
        }
        return points;
    }

    // ---- results ----

    /** Whether the ranks and delegatees of {@code nodes} nodes share CPUs. */
    private static boolean areShared(int cpus, int nodes) {
        return cpus < 2 * nodes;
    }

    static String places(int cpus, int nodes) {
        return cpus + (cpus == 1 ? " CPU carries " : " CPUs carry ") + nodes + " ranks and " + nodes
                + " delegatees" + (areShared(cpus, nodes)
                        ? ", fewer than one each: compare ratios, not times" : "");
    }

    private String measured() {
        return alltoall ? "alltoall, a call, " + nodes : "pingpong, half round trips, 2";
    }

    /** A table for each way in which ranks wait. */
    private void print(List<DelegationPoint> points, int cpus) {
        String title = String.format("%s nodes on this machine, buffers: %s, medians of %d rounds%n"
                + "%s%n", measured(), buffers, rounds, places(cpus, nodes));
        for (String wait : waits) {
            Report report = report((wait.equals(waits.get(0)) ? title : "") + "\nranks wait: "
                    + wait, "bytes %6s", "delegatee %-9s", "min us %10.1f", "median us %10.1f",
                    "p99 us %10.1f", "MB/s %8.1f", "ratio %5s");
            points.stream().filter(point -> point.waiting().equals(wait)).forEach(point -> {
                Map<String, Object> line = point.json();
                line.put("cpus", cpus);
                report.add(line, Sizes.text(point.bytes()), point.mode(), point.min(),
                        point.median(), point.p99(), point.megabytesPerSecond(),
                        ratio(point.ratio()));
            });
        }
    }

    /** A ratio, as text; 0: there is none. */
    static String ratio(double ratio) {
        return ratio > 0 ? String.format(Locale.ROOT, "%.2f", ratio) : "-";
    }

    private Panels draw(List<DelegationPoint> points, int cpus) {
        Panels picture = new Panels(alltoall
                ? "Alltoall of " + nodes + " nodes, delegated and not"
                : "Messages between two nodes, delegated and not",
                "each side writes what it sends and reads what it receives; "
                        + places(cpus, nodes),
                alltoall ? "bytes of a block" : "bytes of a message",
                List.of(alltoall ? "a call, us" : "half a round trip, us",
                        alltoall ? "sent by a rank, MB/s" : "bandwidth, MB/s"));
        draw(picture, waits.get(0), points);
        return picture;
    }

    /** A curve for each mode; dashed where ranks do not wait in that way. */
    static void draw(Panels picture, String wait, List<DelegationPoint> points) {
        for (DelegationPoint point : points) {
            if (!point.waiting().equals(wait)) {
                picture.dash(point.curve(), DelegationPoint.curve(point.mode(), wait));
            }
            picture.add(0, point.curve(), point.bytes(), point.median());
            picture.add(1, point.curve(), point.bytes(), point.megabytesPerSecond());
        }
    }
}
