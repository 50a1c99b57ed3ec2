// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.threads;

import io.hayate.Hayate;
import io.hayate.Ompl;
import io.hayate.bench.figures.Failure;
import io.hayate.bench.figures.FigureCommand;
import io.hayate.bench.figures.Panels;
import io.hayate.bench.figures.Ranks;
import io.hayate.bench.figures.Report;
import io.hayate.bench.figures.Sizes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures put and flag against the number of threads. */
@Command(name = "threads",
        mixinStandardHelpOptions = true,
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
            "  figure.sh threads --plot threads.svg",
            "  figure.sh threads --threads 1,2,4 --endpoints thread,1 --json",
            "  figure.sh threads --endpoints thread --bytes 8:64K --plot sizes.svg",
            "  mpiexec.hydra -hosts node1,node2 -n 2 scripts/bench/figure.sh threads"})
public final class ThreadsCommand extends FigureCommand {
    private static final int RANKS = 2;
    private static final double MEGA = 1e6;
    private static final int MOST_THREADS = 256;
    private static final int LEAST_BYTES = 8;
    private static final int MOST_BYTES = 1 << 20;

    @Option(names = "--threads", paramLabel = "T", split = ",",
            description = "Numbers of threads of each rank (default 1,2,4,8).")
    private List<Integer> threads = List.of(1, 2, 4, 8);

    @Option(names = "--endpoints", paramLabel = "K", split = ",",
            description = "thread (one for each thread), or the number of endpoints in a free list"
                    + " (default thread,1,2,4).")
    private List<String> endpoints = List.of("thread", "1", "2", "4");

    @Option(names = "--bytes", paramLabel = "SIZE", converter = Sizes.class,
            description = "Size of a put in bytes, 8 to 1M, or several sizes such as 8,64 or 8:64K"
                    + " (default 8).")
    private Sizes sizes = Sizes.of("8");

    @Option(names = "--min-time", paramLabel = "MS", defaultValue = "250",
            description = "Time for the samples of each case, in milliseconds (default 250).")
    private int millis;

    @Option(names = "--plot", paramLabel = "FILE",
            description = "Draw both results against the number of threads, or against the size if"
                    + " there are several sizes (SVG).")
    private Path plot;

    @Override
    public Integer call() {
        check();
        return Ranks.isRank() ? measure() : runOnRanks(RANKS);
    }

    private void check() {
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
        requireRange("--min-time", millis, 1, MOST_MILLIS);
        Panels.check(plot);
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
            throw new Failure("HAYATE_ENDPOINTS=" + set + " takes precedence over"
                    + " --endpoints: unset it");
        }
        Report report = report("put and flag, 2 ranks", "endpoints %9s", "threads %8d",
                "bytes %8d", "min us %10.3f", "median us %10.3f", "p99 us %10.3f",
                "puts/s %14.0f");
        List<ThreadPoint> points = new ArrayList<>();
        try (Hayate job = Ranks.pair()) {
            ThreadScaling.run(job, endpoints.stream().map(this::count).toList(), threads,
                    sizes.bytes(), millis * NANOS_PER_MILLI, point -> {
                        report.add(point.json(), point.endpointsText(), point.threads(),
                                point.bytes(), point.min(), point.median(), point.p99(),
                                point.perSecond());
                        points.add(point);
                    });
            if (plot != null && job.rank() == 0) {
                draw(points).write(plot);
            }
        }
        return 0;
    }

    /**
     * Draws a curve for each kind of endpoints against threads, or for each number of threads
     * against bytes.
     */
    static Panels draw(List<ThreadPoint> points) {
        boolean many = points.stream().map(ThreadPoint::bytes).distinct().count() > 1;
        Panels picture = new Panels(many ? "Put and flag against bytes, 2 ranks"
                : "Put of " + points.get(0).bytes() + " bytes and flag against threads, 2 ranks",
                "an endpoint for each thread, or a free list",
                many ? "bytes of a put" : "threads of each rank",
                List.of("half a round trip of put and flag, us",
                        "puts of all threads, millions per second"));
        for (ThreadPoint point : points) {
            String kind = point.endpoints() == Ompl.PER_THREAD ? "per thread"
                    : "list of " + point.endpoints();
            String curve = many ? kind + ", " + point.threads()
                    + (point.threads() == 1 ? " thread" : " threads") : kind;
            int at = many ? point.bytes() : point.threads();
            picture.add(0, curve, at, point.median());
            picture.add(1, curve, at, point.perSecond() / MEGA);
        }
        return picture;
    }
}
