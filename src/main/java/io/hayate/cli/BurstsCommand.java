// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.cli.perf.BurstPoint;
import io.hayate.cli.perf.Bursts;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hayate perf bursts}: measures messages that come in bursts. */
@Command(name = "bursts",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {"Measures messages of two ranks in bursts, with pauses between the bursts:"
        + " half of each round trip, the first one of each burst, and the processor time of the"
                    + " delegatee, if there is one. Each side writes what it sends, and reads and"
                    + " checks what it receives. In a pause of 100 us or less rank 0 computes, in a"
                    + " longer one it sleeps.",
            "It runs in the job in which it was started, or starts two ranks itself. Between two"
                    + " nodes, see 'hayate perf delegation --bursts'."},
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  hayate perf bursts --pauses 0,1000",
            "  mpiexec.hydra -n 2 hayate run --delegate -n 1 -- hayate perf bursts"})
final class BurstsCommand extends CheckedCommand {
    static final List<Integer> PAUSES = List.of(0, 50, 1000, 20_000);
    static final int MOST_PAUSE = 1_000_000;

    private static final String HEADING = "%9s %7s %7s %10s %10s %10s %7s%n";
    private static final String ROW = "%9d %7s %7d %10.1f %10.1f %10.1f %7s%n";
    private static final int RANKS = 2;
    private static final int LEAST_BYTES = 8;
    private static final int MOST_LENGTH = 10_000;
    private static final int MOST_MILLIS = 3_600_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final List<String> arguments;

    @Option(names = "--pauses", paramLabel = "US", split = ",",
            description = "Pauses between bursts, in microseconds (default 0,50,1000,20000).")
    private List<Integer> pauses = PAUSES;

    @Option(names = "--bytes", paramLabel = "SIZE", converter = ByteSizes.class,
            description = "Size of a message, 8 or more (default 64).")
    private ByteSizes size = ByteSizes.of("64");

    @Option(names = "--length", paramLabel = "N", defaultValue = "32",
            description = "Round trips of a burst (default 32).")
    private int length;

    @Option(names = "--min-time", paramLabel = "MS", defaultValue = "500",
            description = "Time for each pause, in milliseconds (default 500).")
    private int millis;

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    private boolean begun;

    BurstsCommand(String... arguments) {
        this.arguments = List.of(arguments);
    }

    @Override
    public Integer call() {
        requireNothingBefore();
        pauses.forEach(pause -> requireRange("--pauses", pause, 0, MOST_PAUSE, " microseconds"));
        require(size.bytes().size() == 1 && size.bytes().get(0) >= LEAST_BYTES,
                "--bytes: expected one size of 8 or more");
        requireRange("--length", length, 1, MOST_LENGTH);
        requireRange("--min-time", millis, 1, MOST_MILLIS, " milliseconds");
        return JobInfo.isRank() ? measure() : OwnCommand.runOnRanks(RANKS, arguments);
    }

    private int measure() {
        try (Hayate job = Hayate.init()) {
            if (job.size() != RANKS) {
                throw new CommandFailure("a job of " + job.size() + " ranks: expected 2");
            }
            try (Fmpl fmpl = Fmpl.init(job)) {
                for (int pause : pauses) {
                    Bursts.run(job, fmpl, new Bursts.Case(pause, size.bytes().get(0), length,
                            millis * NANOS_PER_MILLI), this::print);
                }
            }
        }
        return 0;
    }

    /** The processor time, as text. */
    static String percent(double cpu) {
        return cpu < 0 ? "-" : String.format(Locale.ROOT, "%.0f%%", cpu);
    }

    private void print(BurstPoint point) {
        PrintWriter out = out();
        if (json) {
            out.print(Json.of(point.json()) + "\n");
        } else {
            if (!begun) {
                out.printf("bursts of %d messages, half round trips%n", length);
                out.printf(HEADING, "pause us", "bytes", "bursts", "median us", "p99 us",
                        "first us", "CPU");
            }
            out.printf(Locale.ROOT, ROW, point.pause(), ByteSizes.text(point.bytes()),
                    point.bursts(), point.median(), point.p99(), point.first(),
                    percent(point.cpu()));
        }
        begun = true;
        out.flush();
    }
}
