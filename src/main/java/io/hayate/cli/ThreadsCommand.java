// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.Hayate;
import io.hayate.Ompl;
import io.hayate.cli.perf.ThreadPlot;
import io.hayate.cli.perf.ThreadPoint;
import io.hayate.cli.perf.ThreadScaling;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hayate perf threads}: measures put and flag against the number of threads. */
@Command(name = "threads",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {"Measures put and flag of the global space (Ompl) between two ranks against"
        + " the number of their threads, with one endpoint for each thread and with shared free"
        + " lists.",
            "Thread i of one rank and thread i of the other put to each other, all threads at"
                    + " once. It measures half of a round trip, and puts in one direction in"
                    + " windows of 64 with one flag after each window. scripts/bench/threads.sh"
                    + " compares the results with MPI and UCX."},
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  hayate perf threads --plot threads.svg",
            "  hayate perf threads --threads 1,2,4 --endpoints thread,1 --json",
            "  hayate perf threads --endpoints thread --bytes 8:64K --plot sizes.svg",
            "  mpiexec.hydra -hosts node1,node2 -n 2 hayate perf threads"})
final class ThreadsCommand extends CheckedCommand {
    private static final int RANKS = 2;
    private static final int MOST_THREADS = 256;
    private static final int LEAST_BYTES = 8;
    private static final int MOST_MILLIS = 3_600_000;
    private static final int MOST_BYTES = 1 << 20;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final List<String> arguments;

    @Option(names = "--threads", paramLabel = "T", split = ",",
            description = "Numbers of threads of each rank (default 1,2,4,8).")
    private List<Integer> threads = List.of(1, 2, 4, 8);

    @Option(names = "--endpoints", paramLabel = "K", split = ",",
            description = "thread (one for each thread), or the number of endpoints in a free list"
                    + " (default thread,1,2,4).")
    private List<String> endpoints = List.of("thread", "1", "2", "4");

    @Option(names = "--bytes", paramLabel = "SIZE", converter = ByteSizes.class,
            description = "Size of a put in bytes, 8 to 1M, or several sizes such as 8,64 or 8:64K"
                    + " (default 8).")
    private ByteSizes sizes = ByteSizes.of("8");

    @Option(names = "--min-time", paramLabel = "MS", defaultValue = "250",
            description = "Time for the samples of each case, in milliseconds (default 250).")
    private int millis;

    @Option(names = "--plot", paramLabel = "FILE",
            description = "Draw both results against the number of threads, or against the size if"
                    + " there are several sizes (SVG).")
    private Path plot;

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    ThreadsCommand(String... arguments) {
        this.arguments = List.of(arguments);
    }

    @Override
    public Integer call() {
        check();
        return JobInfo.isRank() ? measure() : OwnCommand.runOnRanks(RANKS, arguments);
    }

    private void check() {
        requireNothingBefore();
        require(!threads.isEmpty(), "--threads: expected at least one number");
        for (int each : threads) {
            requireRange("--threads", each, 1, MOST_THREADS);
        }
        require(!endpoints.isEmpty(), "--endpoints: expected thread, or numbers");
        endpoints.forEach(this::count);
        for (int each : sizes.bytes()) {
            require(each >= LEAST_BYTES && each <= MOST_BYTES,
                    "--bytes " + each + ": expected 8 to 1M");
        }
        requireRange("--min-time", millis, 1, MOST_MILLIS, " milliseconds");
        Picture.check(plot);
    }

    private int count(String word) {
        boolean number = word.matches("[0-9]{1,3}");
        int count = number ? Integer.parseInt(word) : Ompl.PER_THREAD;
        require(word.equals("thread") || number && count >= 1 && count <= Ompl.MOST_ENDPOINTS,
                "--endpoints " + word + ": expected thread, or 1 to " + Ompl.MOST_ENDPOINTS);
        return count;
    }

    private int measure() {
        String set = System.getenv().getOrDefault("HAYATE_ENDPOINTS", "");
        if (!set.isEmpty()) {
            throw new CommandFailure("HAYATE_ENDPOINTS=" + set + " takes precedence over"
                    + " --endpoints: unset it");
        }
        List<ThreadPoint> points = new ArrayList<>();
        try (Hayate job = Hayate.init()) {
            if (job.size() != RANKS) {
                throw new CommandFailure("a job of " + job.size() + " ranks: expected 2");
            }
            ThreadScaling.run(job, endpoints.stream().map(this::count).toList(), threads,
                    sizes.bytes(), millis * NANOS_PER_MILLI, point -> {
                        print(point, points.isEmpty());
                        points.add(point);
                    });
            if (plot != null && job.rank() == 0) {
                draw(points);
            }
        }
        return 0;
    }

    private void print(ThreadPoint point, boolean first) {
        PrintWriter out = out();
        if (json) {
            out.print(Json.of(point.json()) + "\n");
        } else {
            if (first) {
                out.printf("put and flag, 2 ranks%n");
                out.printf("%9s %8s %8s %10s %10s %10s %14s%n", "endpoints", "threads", "bytes",
                        "min us", "median us", "p99 us", "puts/s");
            }
            out.printf(Locale.ROOT, "%9s %8d %8d %10.3f %10.3f %10.3f %14.0f%n",
                    point.endpointsText(), point.threads(), point.bytes(), point.min(),
                    point.median(), point.p99(), point.perSecond());
        }
        out.flush();
    }

    /**
     * Draws a curve for each kind of endpoints against threads, or for each number of threads
     * against bytes.
     */
    private void draw(List<ThreadPoint> points) {
        boolean many = sizes.bytes().size() > 1;
        ThreadPlot picture = new ThreadPlot(many ? "Put and flag against bytes, 2 ranks"
                : "Put of " + sizes.bytes().get(0) + " bytes and flag against threads, 2 ranks",
                "an endpoint for each thread, or a free list",
                many ? ThreadPlot.Axis.BYTES : ThreadPlot.Axis.THREADS);
        for (ThreadPoint point : points) {
            String kind = point.endpoints() == Ompl.PER_THREAD ? "per thread"
                    : "list of " + point.endpoints();
            picture.add(many ? kind + ", " + point.threads()
                    + (point.threads() == 1 ? " thread" : " threads") : kind, point);
        }
        Picture.write(plot, picture.draw());
    }
}
