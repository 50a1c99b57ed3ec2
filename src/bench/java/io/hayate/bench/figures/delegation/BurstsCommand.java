// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.delegation;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.bench.figures.FigureCommand;
import io.hayate.bench.figures.Ranks;
import io.hayate.bench.figures.Report;
import io.hayate.bench.figures.Sizes;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures messages that come in bursts. */
@Command(name = "bursts",
        mixinStandardHelpOptions = true,
        description = {"Measures messages of two ranks in bursts, with pauses between the bursts:"
        + " half of each round trip, the first one of each burst, and the processor time of the"
                    + " delegatee, if there is one. Each side writes what it sends, and reads and"
                    + " checks what it receives. In a pause of 100 us or less rank 0 computes, in a"
                    + " longer one it sleeps.",
            "It runs in the job in which it was started, or starts two ranks itself. Between two"
                    + " nodes, see delegation --bursts."},
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  figure.sh bursts --pauses 0,1000",
            "  mpiexec.hydra -n 2 hayate run --delegate -n 1 -- scripts/bench/figure.sh bursts"})
public final class BurstsCommand extends FigureCommand {
    static final List<Integer> PAUSES = List.of(0, 50, 1000, 20_000);
    static final int MOST_PAUSE = 1_000_000;

    private static final int RANKS = 2;
    private static final int LEAST_BYTES = 8;
    private static final int MOST_LENGTH = 10_000;

    @Option(names = "--pauses", paramLabel = "US", split = ",",
            description = "Pauses between bursts, in microseconds (default 0,50,1000,20000).")
    private List<Integer> pauses = PAUSES;

    @Option(names = "--bytes", paramLabel = "SIZE", converter = Sizes.class,
            description = "Size of a message, 8 or more (default 64).")
    private Sizes size = Sizes.of("64");

    @Option(names = "--length", paramLabel = "N", defaultValue = "32",
            description = "Round trips of a burst (default 32).")
    private int length;

    @Option(names = "--min-time", paramLabel = "MS", defaultValue = "500",
            description = "Time for each pause, in milliseconds (default 500).")
    private int millis;

    @Override
    public Integer call() {
        pauses.forEach(pause -> requireRange("--pauses", pause, 0, MOST_PAUSE));
        require(size.bytes().size() == 1 && size.bytes().get(0) >= LEAST_BYTES,
                "--bytes: expected one size of 8 or more");
        requireRange("--length", length, 1, MOST_LENGTH);
        requireRange("--min-time", millis, 1, MOST_MILLIS);
        return Ranks.isRank() ? measure() : runOnRanks(RANKS);
    }

    private int measure() {
        Report report = report("bursts of " + length + " messages, half round trips",
                "pause us %9d", "bytes %7s", "bursts %7d", "median us %10.1f", "p99 us %10.1f",
                "first us %10.1f", "CPU %7s");
        try (Hayate job = Ranks.pair()) {
            try (Fmpl fmpl = Fmpl.init(job)) {
                for (int pause : pauses) {
                    Bursts.run(job, fmpl, new Bursts.Case(pause, size.bytes().get(0), length,
                            millis * NANOS_PER_MILLI), point -> report.add(point.json(),
                            point.pause(), Sizes.text(point.bytes()), point.bursts(),
                            point.median(), point.p99(), point.first(), percent(point.cpu())));
                }
            }
        }
        return 0;
    }

    /** The processor time, as text. */
    static String percent(double cpu) {
        return cpu < 0 ? "-" : String.format(Locale.ROOT, "%.0f%%", cpu);
    }
}
