// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Hayate;
import io.hayate.Pvas;
import io.hayate.cli.command.CheckedCommand;
import io.hayate.cli.command.CommandFailure;
import io.hayate.cli.command.Version;
import io.hayate.cli.job.JobInfo;
import io.hayate.cli.output.ByteSizes;
import io.hayate.cli.output.Picture;
import io.hayate.cli.run.Launcher;
import io.hayate.cli.run.OwnCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hayate perf}: measures messages and collectives. */
@Command(name = "perf",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {"Measures messages and collectives in the job in which it was started, or"
                + " in ranks that it starts itself.",
            "All figures are those of rank 0. A sample is the mean of a batch of about 100 us."
                    + " pingpong and bandwidth report half of a round trip; rate reports"
                    + " the time between messages in one direction, in windows of 64. Each rank"
                    + " writes one number in every cache line of its data before it sends them, and"
                    + " reads one in every line that it receives, as a program would; 'work us' is"
                    + " what that takes without a message, and is contained in the times. 'path' is"
                    + " the"
                    + " protocol that the messages actually used: inline (in the slot that the"
                    + " receiver polls), eager, heap, cma or"
            + " pipeline; schedule for collectives."},
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  hayate perf pingpong --bytes 8,128,2K",
            "  hayate perf bandwidth --bytes 64K:8M --buffers direct --path cma",
            "  hayate perf rate --threads 4",
            "  hayate perf pingpong --bytes 8:1M --plot pingpong.svg",
            "  hayate perf allreduce -n 8 --bytes 8,8K,256K --json",
            "  hayate run -n 4 --bind none -- hayate perf barrier"})
public final class PerfCommand extends CheckedCommand {
    private static final int MOST_RANKS = 4096;
    private static final int MOST_THREADS = 64;
    private static final int MOST_MILLIS = 3_600_000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final String RENDEZVOUS = "HAYATE_RENDEZVOUS";

    /** The protocol for long messages. */
    public enum Way {
        AUTO, DIRECT, HEAP, ATTACH, COPY, CMA, PIPELINE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final List<String> arguments;

    @Parameters(paramLabel = "BENCH",
            description = "One of pingpong, bandwidth, rate, bcast, hbcast, reduce,"
                    + " allreduce, alltoall (bytes of a block), barrier.")
    private Bench bench;

    @Option(names = "--bytes", paramLabel = "SIZES", converter = ByteSizes.class,
            description = "Sizes such as 8,128,2K, or a:b for a, 2a, 4a .. b (8:1M).")
    private ByteSizes sizes;

    @Option(names = "--buffers", paramLabel = "KIND", defaultValue = "heap",
            description = "heap (symmetric heap, default), direct (ByteBuffer) or array"
                    + " (double[]).")
    private Buffers buffers;

    @Option(names = "--path", paramLabel = "PATH",
            description = "Protocol for long messages: auto, direct, heap, attach, copy, cma or"
                    + " pipeline"
                    + " (HAYATE_RENDEZVOUS).")
    private Way path;

    @Option(names = "-n", paramLabel = "N", description = "Number of ranks to start (default 2).")
    private Integer ranks;

    @Option(names = "--pvas", description = "Start the ranks as tasks of one address space.")
    private boolean tasks;

    @Option(names = "--threads", paramLabel = "T", defaultValue = "1",
            description = "For rate: number of threads of each rank; each uses another matching"
                    + " area index.")
    private int threads;

    @Option(names = "--min-time", paramLabel = "MS", defaultValue = "250",
            description = "Time for the samples of each size, in milliseconds (default 250).")
    private int millis;

    @Option(names = "--iterations", paramLabel = "N",
            description = "Number of iterations for the samples of each size, instead of a time.")
    private Long iterations;

    @Option(names = "--breakdown",
            description = "Also show how the time of a message is spent: set-up, header and data,"
                    + " on both sides.")
    private boolean breakdown;

    @Option(names = "--stale",
            description = "Do not write the data before a message, nor read them after it: they"
                    + " stay in the caches where the last message left them.")
    private boolean stale;

    @Option(names = "--plot", paramLabel = "FILE",
            description = "Draw time, and bandwidth or rate, against the size; only SVG.")
    private Path plot;

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    public PerfCommand(String... arguments) {
        this.arguments = List.of(arguments);
    }

    @Override
    public Integer call() {
        Plan plan = plan();
        return JobInfo.isRank() ? measure(plan) : startRanks();
    }

    private Plan plan() {
        ByteSizes chosen = sizes == null ? ByteSizes.of(bench.defaultBytes()) : sizes;
        require(ranks == null || ranks >= 2 && ranks <= MOST_RANKS,
                "-n " + ranks + ": expected 2 to " + MOST_RANKS + " ranks");
        requireRange("--threads", threads, 1, MOST_THREADS);
        require(threads == 1 || bench == Bench.RATE, "--threads is for rate only");
        requireRange("--min-time", millis, 1, MOST_MILLIS, " milliseconds");
        require(iterations == null || iterations >= 1,
                "--iterations " + iterations + ": expected 1 or more");
        require(!breakdown || bench.isPointToPoint(), "--breakdown is only for pingpong, bandwidth"
                + " and rate");
        for (int bytes : chosen.bytes()) {
            checkSize(bytes);
        }
        require(plot == null || bench != Bench.BARRIER, "--plot: a barrier has no sizes to draw");
        Picture.check(plot);
        List<Integer> cases = bench == Bench.BARRIER ? List.of(0) : chosen.bytes();
        return new Plan(bench, cases, buffers, millis * NANOS_PER_MILLI,
                iterations == null ? 0 : iterations, threads, breakdown, stale);
    }

    private void checkSize(int bytes) {
        require(!bench.isReduction() || bytes % Double.BYTES == 0 && bytes > 0,
                "--bytes " + bytes + ": the collective adds doubles, expected a multiple of 8");
        require(bench != Bench.ALLTOALL || buffers != Buffers.ARRAY || bytes % Double.BYTES == 0,
                "--bytes " + bytes + ": blocks of arrays of double, expected a multiple of 8");
        require((long) bytes * threads <= ByteSizes.MOST,
                "--bytes " + bytes + " for " + threads + " threads is more than 1G");
    }

    /** Runs this command in every rank, with the same JVM, options and class path. */
    private int startRanks() {
        int count = ranks == null ? 2 : ranks;
        List<String> command = new ArrayList<>(threads == 1 ? OwnCommand.measuringRanks(count)
                : List.of("-n", String.valueOf(count)));
        if (tasks) {
            command.add("--pvas");
        }
        command.add("--");
        command.addAll(OwnCommand.withArguments(arguments));
        return Launcher.run(command, path == null ? Map.of() : Map.of(RENDEZVOUS, path.toString()));
    }

    private int measure(Plan plan) {
        String set = System.getenv().getOrDefault(RENDEZVOUS, "");
        String chosen = set.isEmpty() ? Way.AUTO.toString() : set;
        if (path != null && !path.toString().equals(chosen)) {
            throw new CommandFailure("--path " + path + ": this job was started with "
                    + RENDEZVOUS + "=" + chosen + "; start it with hayate run -x " + RENDEZVOUS
                    + "=" + path);
        }
        if (tasks && !Pvas.isTask()) {
            throw new CommandFailure("--pvas: this rank is an ordinary process, not a task; start"
                    + " it with hayate run --pvas, and end a script around it with exec");
        }
        try (Hayate job = Hayate.init()) {
            if (job.size() < 2) {
                throw new CommandFailure(
                        "a job of one rank has nothing to measure: start at least two ranks");
            }
            if (ranks != null && ranks != job.size()) {
                throw new CommandFailure("-n " + ranks + ": this job has " + job.size() + " ranks");
            }
            PerfReport report = new PerfReport(out(), json);
            List<Result> results = new ArrayList<>();
            Measurement.run(plan, job, result -> {
                report.add(result);
                results.add(result);
            });
            if (plot != null && !results.isEmpty()) { // those of rank 0
                Picture.write(plot, SizePlot.of(PerfReport.heading(results.get(0)), results));
            }
        }
        return 0;
    }
}
