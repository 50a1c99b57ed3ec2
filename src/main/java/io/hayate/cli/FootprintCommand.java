// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.cli.footprint.Comparison;
import io.hayate.cli.footprint.Footprint;
import io.hayate.cli.footprint.FootprintPlot;
import io.hayate.cli.footprint.Kind;
import io.hayate.cli.footprint.MemoryUse;
import io.hayate.cli.footprint.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hayate perf footprint}: measures the memory and the page tables of jobs. */
@Command(name = "footprint",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {"Measures the memory and the page tables of jobs in which all ranks send to"
                + " all others, as processes and as tasks of one address space.",
            "It starts native ranks itself. They send messages of one size to all others, in"
                    + " rounds with barriers, and stay until their memory has been measured. An"
                    + " address space that several ranks share (the kernel is asked) counts once."},
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  hayate perf footprint --plot footprint.svg",
            "  hayate perf footprint --ranks 2,8,32 --bytes 16K --buffers private --json"})
final class FootprintCommand extends CheckedCommand {
    private static final String PROGRAM = "hayate-footprint";
    private static final String LIBRARY = "libhayate.so";
    private static final int MOST_RANKS = 4096;
    private static final int MOST_ROUNDS = 1_000_000;
    private static final int LEAST_BYTES = 8;

    @Option(names = "--ranks", paramLabel = "N", split = ",",
            description = "Numbers of ranks (default 2,4,8,16,32,64,128).")
    private List<Integer> ranks = List.of(2, 4, 8, 16, 32, 64, 128);

    @Option(names = "--bytes", paramLabel = "SIZES", converter = ByteSizes.class,
            description = "Sizes of messages such as 2K,16K, or a:b for a, 2a, 4a .. b (default"
                    + " 2K,16K: eager and rendezvous).")
    private ByteSizes sizes = ByteSizes.of("2K,16K");

    @Option(names = "--rounds", paramLabel = "K", defaultValue = "10",
            description = "Number of messages from each rank to each other rank (default 10).")
    private int rounds;

    @Option(names = "--buffers", paramLabel = "PLACE", defaultValue = "heap",
            description = "Where the messages are: heap (symmetric heap, default) or private.")
    private Place place;

    @Option(names = "--plot", paramLabel = "FILE",
            description = "Draw page tables and memory against N, on logarithmic axes (SVG).")
    private Path plot;

    @Option(names = "--json", description = "Print one JSON object per line: the jobs, then the"
            + " growth for each size.")
    private boolean json;

    private boolean failed;

    @Override
    public Integer call() {
        check();
        List<Footprint> all = new ArrayList<>();
        FootprintReport report = new FootprintReport(out(), json);
        report.begin("all-to-all, " + rounds + " rounds, buffers: " + place);
        try (UnpackedProgram program = UnpackedProgram.of(PROGRAM, LIBRARY)) {
            FootprintJob job = new FootprintJob(program.file(), rounds, place);
            for (int bytes : sizes.bytes()) {
                all.addAll(measure(job, bytes, report));
            }
        }
        report.end(Comparison.of(all));
        draw(all);
        return failed ? CommandFailure.EXIT_CODE : 0;
    }

    // ---- arguments ----

    private void check() {
        requireNothingBefore();
        require(!JobInfo.isRank(), "footprint starts jobs itself: run it outside a job");
        require(!ranks.isEmpty(), "--ranks: expected at least one number");
        for (int n : ranks) {
            requireRange("--ranks", n, 2, MOST_RANKS);
            sizes.bytes().forEach(bytes -> checkSize(bytes, n));
        }
        requireRange("--rounds", rounds, 1, MOST_ROUNDS);
        Picture.check(plot);
    }

    private void checkSize(int bytes, int n) {
        require(bytes >= LEAST_BYTES, "--bytes " + bytes + ": a message contains its sender,"
                + " expected "
                + LEAST_BYTES + " or more");
        require((long) bytes * n <= ByteSizes.MOST, "--bytes " + bytes + ": a message to each of "
                + n + " ranks is more than 1G");
    }

    // ---- measuring ----

    /**
     * Runs processes first: their memory shows the memory of the launcher separately from that of
     * the ranks.
     */
    private List<Footprint> measure(FootprintJob job, int bytes, FootprintReport report) {
        List<Footprint> all = new ArrayList<>();
        MemoryUse base = null;
        for (int n : ranks.stream().distinct().sorted().toList()) {
            Optional<Footprint> processes = job.measure(Kind.PROCESSES, n, bytes, null);
            note(processes, Kind.PROCESSES, n, bytes, report);
            base = processes.map(Footprint::base).orElse(base);
            Optional<Footprint> tasks = base == null ? withoutBase(n)
                    : job.measure(Kind.TASKS, n, bytes, base);
            note(tasks, Kind.TASKS, n, bytes, report);
            processes.ifPresent(all::add);
            tasks.ifPresent(all::add);
        }
        return all;
    }

    private Optional<Footprint> withoutBase(int n) {
        err().println("hayate perf footprint: the job of " + n + " tasks is"
                + " skipped, because the memory of its launcher is known only from a job of"
                + " processes");
        return Optional.empty();
    }

    private void note(Optional<Footprint> one, Kind kind, int n, int bytes,
            FootprintReport report) {
        one.ifPresentOrElse(report::add, () -> {
            failed = true;
            report.addFailed(kind, n, bytes);
        });
    }

    private void draw(List<Footprint> all) {
        if (plot != null && all.isEmpty()) {
            throw new CommandFailure("--plot: no job has run, so there is nothing to draw");
        }
        if (plot != null) {
            Picture.write(plot, new FootprintPlot("all-to-all, " + rounds + " rounds, buffers: "
                    + place, Comparison.of(all), ByteSizes::text).draw());
        }
    }
}
