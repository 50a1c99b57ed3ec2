// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.delegation;

import io.hayate.CollOptions;
import io.hayate.Hayate;
import io.hayate.bench.figures.FigureCommand;
import io.hayate.bench.figures.Ranks;
import io.hayate.bench.figures.Report;
import io.hayate.bench.figures.Sizes;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how much of a communication is hidden. */
@Command(name = "overlap",
        mixinStandardHelpOptions = true,
        description = {"Measures how much of a communication of two ranks goes on while they"
        + " compute in Java, collect garbage in full, or sleep.",
            "It measures the communication alone, the work alone, and both: start, work, await."
                    + " The overlap is (communication + work - both) / min(communication, work),"
                    + " as in IMB-NBC: 1 if the shorter one is hidden. The work takes about as long"
                    + " as the communication; a collection may take longer.",
            "It runs in the job in which it was started, or starts two ranks itself. Between two"
                    + " nodes, see delegation --overlap."},
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  figure.sh overlap",
            "  figure.sh overlap --operations allreduce --progress thread --json",
            "  mpiexec.hydra -hosts node1,node2 -n 2 scripts/bench/figure.sh overlap"})
public final class OverlapCommand extends FigureCommand {
    static final List<String> WORKS = Stream.of(Work.values()).map(Work::toString).toList();

    private static final int RANKS = 2;
    private static final int MOST_WINDOW = 64;
    private static final int MOST_SAMPLES = 10_000;
    private static final List<String> PROGRESS =
            Stream.of(CollOptions.Progress.values()).map(OverlapCommand::word).toList();

    @Option(names = "--operations", paramLabel = "NAMES", split = ",",
            description = "isend (both ranks send and receive), allreduce (a persistent sum of"
                    + " doubles), put (both ranks put, and flush at the end) (default all).")
    private List<String> operations = Overlap.kinds();

    @Option(names = "--while", paramLabel = "WORK", split = ",",
            description = "compute, gc, sleep (default all).")
    private List<String> works = WORKS;

    @Option(names = "--progress", paramLabel = "WORD", defaultValue = "auto",
            description = "What makes progress on persistent collectives: auto, caller, calls,"
                    + " thread or delegated (default auto).")
    private String progress;

    @Option(names = "--bytes", paramLabel = "SIZE", converter = Sizes.class,
            description = "Size of one operation (default 4M, allreduce 1M).")
    private Sizes size;

    @Option(names = "--window", paramLabel = "N", defaultValue = "8",
            description = "Number of operations that are started at once (default 8).")
    private int window;

    @Option(names = "--busy", paramLabel = "N", defaultValue = "2",
            description = "Number of ranks that work: 2 (default), or 1: the other rank only"
                    + " communicates.")
    private int busy;

    @Option(names = "--samples", paramLabel = "N", defaultValue = "21",
            description = "Number of samples of each case (default 21).")
    private int samples;

    static String word(CollOptions.Progress progress) {
        return progress.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Integer call() {
        check();
        return Ranks.isRank() ? measure() : runOnRanks(RANKS);
    }

    private void check() {
        requireWords("--operations", operations, Overlap.kinds());
        requireWords("--while", works, WORKS);
        requireWords("--progress", List.of(progress), PROGRESS);
        require(size == null || size.bytes().size() == 1 && size.bytes().get(0) > 0
                && size.bytes().get(0) % Double.BYTES == 0,
                "--bytes: expected one size, a multiple of 8");
        requireRange("--window", window, 1, MOST_WINDOW);
        require(busy >= 1 && busy <= RANKS, "--busy " + busy + ": expected 1 or 2");
        requireRange("--samples", samples, 1, MOST_SAMPLES);
    }

    private CollOptions options() {
        return CollOptions.AUTO.progress(
                CollOptions.Progress.valueOf(progress.toUpperCase(Locale.ROOT)));
    }

    private int measure() {
        Report report = report("overlap, 2 ranks, " + busy + " busy, progress: " + progress,
                "operation %-10s", "while %-8s", "bytes %6s", "window %7d", "alone ms %10.2f",
                "work ms %10.2f", "both ms %10.2f", "hidden %8s");
        List<Work> chosen = works.stream().map(work -> Work.valueOf(work.toUpperCase(Locale.ROOT)))
                .toList();
        try (Hayate job = Ranks.pair()) {
            Overlap.run(job, new Overlap.Case(operations, chosen,
                    size == null ? 0 : size.bytes().get(0), window, busy, samples, options()),
                    point -> add(report, point));
        }
        return 0;
    }

    private void add(Report report, OverlapPoint point) {
        Map<String, Object> line = point.json();
        line.put("progress", progress);
        line.put("busy", busy);
        report.add(line, point.operation(), point.work(), Sizes.text(point.bytes()),
                point.window(), point.pure(), point.busy(), point.both(),
                percent(point.overlap()));
    }

    /** A share, as text. */
    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f%%", 100 * share);
    }
}
