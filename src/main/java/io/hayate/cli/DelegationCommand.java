// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.cli.draw.LogPlot;
import io.hayate.cli.perf.Buffers;
import io.hayate.cli.perf.DelegationPoint;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hayate perf delegation}: measures messages between two nodes, delegated and not. */
@Command(name = "delegation",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
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
            "With --overlap it measures instead how much of a communication is hidden"
                    + " ('hayate perf overlap'), with --bursts messages in bursts ('hayate perf"
                    + " bursts').",
            "With --bursts, the ratio is that of adaptive to the better one of poll and"
                    + " interrupt."},
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  hayate perf delegation --plot delegation.svg",
            "  hayate perf delegation --modes none,poll --wait block --bytes 8:64K --json",
            "  hayate perf delegation --alltoall --nodes 4 --modes none,poll",
            "  hayate perf delegation --overlap",
            "  hayate perf delegation --bursts --rounds 5"})
final class DelegationCommand extends CheckedCommand {
    private static final int MOST_MILLIS = 3_600_000;
    private static final int MOST_ROUNDS = 1000;
    private static final int LEAST_BYTES = 8;
    private static final int MOST_NODES = 64;
    private static final int NODES_OF_ALLTOALL = 8;
    static final String NONE = "none";
    private static final List<String> MODES = List.of(NONE, "poll", "interrupt", "adaptive");
    private static final List<String> WAITS = List.of("adaptive", "block", "spin");

    private final List<String> arguments;

    @Option(names = "--bytes", paramLabel = "SIZES", converter = ByteSizes.class,
            description = "Sizes such as 8,128,2K, or a:b for a, 2a, 4a .. b (default 8,64,512,4K,"
                    + "16K,64K,256K,1M,4M).")
    private ByteSizes sizes = ByteSizes.of("8,64,512,4K,16K,64K,256K,1M,4M");

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
    private Buffers buffers;

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

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    DelegationCommand(String... arguments) {
        this.arguments = List.of(arguments);
    }

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
            return new OverlapJobs(arguments, out(), json, waits, progress, places, cpus)
                    .run(rounds);
        }
        if (bursts) {
            return new BurstJobs(arguments, out(), json, waits, modes,
                    pauses == null ? null : pauses.stream().map(String::valueOf).toList(), cpus)
                    .run(rounds);
        }
        List<DelegationPoint> points = points(measure());
        print(points, cpus);
        draw(points, cpus);
        return 0;
    }

    private void check() {
        requireNothingBefore();
        require(!JobInfo.isRank(), "delegation starts jobs itself: run it outside a job, or 'hayate"
                + " perf pingpong' in one");
        requireWords("--modes", modes, MODES);
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
            requireRange("--nodes", nodes, 2, MOST_NODES, " nodes");
        }
        require(pauses == null || bursts, "--pauses is for --bursts only");
        if (pauses != null) {
            pauses.forEach(pause -> requireRange("--pauses", pause, 0, BurstsCommand.MOST_PAUSE,
                    " microseconds"));
        }
        for (int bytes : sizes.bytes()) {
            require(bytes >= LEAST_BYTES, "--bytes " + bytes + ": expected 8 or more");
        }
        requireRange("--rounds", rounds, 1, MOST_ROUNDS);
        requireRange("--min-time", millis, 1, MOST_MILLIS, " milliseconds");
        Picture.check(plot);
    }

    // ---- measuring ----

    private record Case(String waiting, String mode, int bytes) {
    }

    /** All cases in each round, so that a change of the machine concerns all modes. */
    private Map<Case, List<DelegationPoint.Round>> measure() {
        Map<Case, List<DelegationPoint.Round>> all = new LinkedHashMap<>();
        String words = String.join(",", sizes.bytes().stream().map(String::valueOf).toList());
        LocalNodes jobs = new LocalNodes(nodes, OwnCommand.instead(arguments, List.of(), List.of(
                "perf", alltoall ? "alltoall" : "pingpong", "--json", "--bytes", words,
                "--buffers", buffers.toString(),
                "--min-time", String.valueOf(millis))));
        for (int round = 0; round < rounds; round++) {
            for (String wait : waits) {
                for (String mode : modes) {
                    jobs.run(!mode.equals(NONE), environment(mode, wait), line -> {
                        int bytes = (int) JsonNumbers.of(line, "bytes");
                        all.computeIfAbsent(new Case(wait, mode, bytes), key -> new ArrayList<>())
                                .add(new DelegationPoint.Round(JsonNumbers.of(line, "min_us"),
                                        JsonNumbers.of(line, "median_us"),
                                        JsonNumbers.of(line, "p99_us")));
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
                        throw new CommandFailure("no result for " + bytes + " bytes, " + mode);
                    }
                    points.add(DelegationPoint.of(mode, wait, bytes, alltoall ? nodes : 1, all,
                            base));
                }
            }
        }
        return points;
    }

    // ---- results ----

    /** Whether the ranks and delegatees of so many nodes share CPUs. */
    private static boolean areShared(int cpus, int nodes) {
        return cpus < 2 * nodes;
    }

    static String places(int cpus) {
        return places(cpus, 2);
    }

    private static String places(int cpus, int nodes) {
        return cpus + (cpus == 1 ? " CPU carries " : " CPUs carry ") + nodes + " ranks and " + nodes
                + " delegatees" + (areShared(cpus, nodes)
                        ? ", fewer than one each: compare ratios, not times" : "");
    }

    private String measured() {
        return alltoall ? "alltoall, a call, " + nodes : "pingpong, half round trips, 2";
    }

    private void print(List<DelegationPoint> points, int cpus) {
        PrintWriter out = out();
        if (json) {
            points.forEach(point -> out.print(Json.of(withCpus(point.json(), cpus)) + "\n"));
            out.flush();
            return;
        }
        out.printf("%s nodes on this machine, buffers: %s, medians of %d rounds%n%s%n", measured(),
                buffers, rounds, places(cpus, nodes));
        for (String wait : waits) {
            out.printf("%nranks wait: %s%n", wait);
            Columns columns = new Columns().add("bytes", "delegatee", "min us", "median us",
                    "p99 us", "MB/s", "ratio");
            points.stream().filter(point -> point.waiting().equals(wait)).forEach(point -> columns
                    .add(ByteSizes.text(point.bytes()), point.mode(), number(point.min()),
                            number(point.median()), number(point.p99()),
                            number(point.megabytesPerSecond()),
                            point.ratio() > 0 ? String.format(Locale.ROOT, "%.2f", point.ratio())
                                    : "-"));
            out.print(columns);
        }
        out.flush();
    }

    static Map<String, Object> withCpus(Map<String, Object> line, int cpus) {
        line.put("cpus", cpus);
        return line;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private void draw(List<DelegationPoint> points, int cpus) {
        if (plot == null) {
            return;
        }
        LogPlot picture = new LogPlot(alltoall
                ? "Alltoall of " + nodes + " nodes, delegated and not"
                : "Messages between two nodes, delegated and not",
                "each side writes what it sends and reads what it receives; "
                        + places(cpus, nodes),
                alltoall ? "bytes of a block" : "bytes of a message",
                List.of(alltoall ? "a call, us" : "half a round trip, us",
                        alltoall ? "sent by a rank, MB/s" : "bandwidth, MB/s"));
        for (DelegationPoint point : points) {
            String tip = String.format(Locale.ROOT, "%s, %d bytes: %.1f us, %.1f MB/s",
                    point.curve(), point.bytes(), point.median(), point.megabytesPerSecond());
            if (!point.waiting().equals(waits.get(0))) {
                picture.dash(point.curve(), DelegationPoint.curve(point.mode(), waits.get(0)));
            }
            picture.add(0, point.curve(), point.bytes(), point.median(), tip);
            picture.add(1, point.curve(), point.bytes(), point.megabytesPerSecond(), tip);
        }
        Picture.write(plot, picture.draw());
    }
}
