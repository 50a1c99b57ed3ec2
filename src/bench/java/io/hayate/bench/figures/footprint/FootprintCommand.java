// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import io.hayate.bench.figures.FigureCommand;
import io.hayate.bench.figures.Failure;
import io.hayate.bench.figures.Panels;
import io.hayate.bench.figures.Ranks;
import io.hayate.bench.figures.Report;
import io.hayate.bench.figures.Sizes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the memory and the page tables of jobs. */
@Command(name = "footprint",
        mixinStandardHelpOptions = true,
        description = {"Measures the memory and the page tables of jobs in which all ranks send to"
                + " all others, as processes and as tasks of one address space.",
            "It starts native ranks itself. They send messages of one size to all others, in"
                    + " rounds with barriers, and stay until their memory has been measured. An"
                    + " address space that several ranks share (the kernel is asked) counts once."},
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  figure.sh footprint --plot footprint.svg",
            "  figure.sh footprint --ranks 2,8,32 --bytes 16K --buffers private --json"})
public final class FootprintCommand extends FigureCommand {
    private static final int MOST_RANKS = 4096;
    private static final int MOST_ROUNDS = 1_000_000;
    private static final int LEAST_BYTES = 8;

    @Option(names = "--ranks", paramLabel = "N", split = ",",
            description = "Numbers of ranks (default 2,4,8,16,32,64,128).")
    private List<Integer> ranks = List.of(2, 4, 8, 16, 32, 64, 128);

    @Option(names = "--bytes", paramLabel = "SIZES", converter = Sizes.class,
            description = "Sizes of messages such as 2K,16K, or a:b for a, 2a, 4a .. b (default"
                    + " 2K,16K: eager and rendezvous).")
    private Sizes sizes = Sizes.of("2K,16K");

    @Option(names = "--rounds", paramLabel = "K", defaultValue = "10",
            description = "Number of messages from each rank to each other rank (default 10).")
    private int rounds;

    @Option(names = "--buffers", paramLabel = "PLACE", defaultValue = "heap",
            description = "Where the messages are: heap (symmetric heap, default) or private.")
    private Place place;

    @Option(names = "--plot", paramLabel = "FILE",
            description = "Draw page tables and memory against N, on logarithmic axes (SVG).")
    private Path plot;

    private boolean failed;

    @Override
    public Integer call() {
        check();
        List<Footprint> all = new ArrayList<>();
        Report report = report(title() + "; KiB, in all and of a rank, of the machine, and time"
                + " of the rounds", "ranks %6s", "as %-9s", "bytes %6s", "memory %11d",
                "a rank %9.1f", "tables %11d", "a rank %9.1f", "machine %11d", "its tables %11d",
                "rounds s %9.2f");
        FootprintJob job = new FootprintJob(rounds, place);
        for (int bytes : sizes.bytes()) {
            all.addAll(measure(job, bytes, report));
        }
        end(report, Comparison.of(all));
        draw(all);
        return failed ? 1 : 0;
    }

    // ---- arguments ----

    private void check() {
        require(!Ranks.isRank(), "footprint starts jobs itself: run it outside a job");
        require(!ranks.isEmpty(), "--ranks: expected at least one number");
        for (int n : ranks) {
            requireRange("--ranks", n, 2, MOST_RANKS);
            sizes.bytes().forEach(bytes -> checkSize(bytes, n));
        }
        requireRange("--rounds", rounds, 1, MOST_ROUNDS);
        Panels.check(plot);
    }

    private void checkSize(int bytes, int n) {
        require(bytes >= LEAST_BYTES, "--bytes " + bytes + ": a message contains its sender,"
                + " expected "
                + LEAST_BYTES + " or more");
        require((long) bytes * n <= Sizes.MOST, "--bytes " + bytes + ": a message to each of "
                + n + " ranks is more than 1G");
    }

    // ---- measuring ----

    /**
     * Runs processes first: their memory shows the memory of the launcher separately from that of
     * the ranks.
     */
    private List<Footprint> measure(FootprintJob job, int bytes, Report report) {
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
        err().println("figure.sh footprint: the job of " + n + " tasks is"
                + " skipped, because the memory of its launcher is known only from a job of"
                + " processes");
        return Optional.empty();
    }

    private void note(Optional<Footprint> one, Kind kind, int n, int bytes,
            Report report) {
        if (one.isPresent()) {
            add(report, one.get());
        } else {
            failed = true;
            report.addRow(String.valueOf(n), kind.toString(), Sizes.text(bytes), "-", "-", "-",
                    "-", "-", "-", "-");
        }
    }

    private static void add(Report report, Footprint one) {
        MemoryUse added = one.added();
        report.add(one.json(), String.valueOf(one.ranks()), one.kind().toString(),
                Sizes.text(one.bytes()), one.total().memory(), one.perRank(added.memory()),
                one.total().pageTables(), one.perRank(added.pageTables()), one.system().memory(),
                one.system().pageTables(), one.seconds());
    }

    /** The growth for each size. */
    private void end(Report report, List<Comparison> comparisons) {
        for (Comparison one : comparisons) {
            if (json()) {
                report.add(one.json());
            } else {
                out().print(one.text());
            }
        }
        if (!json()) {
            out().print("memory and page tables: of the launcher and its ranks, each address space"
                    + " once (proportional set\nsize, VmPTE); a rank: without the memory of the"
                    + " launcher alone, as for the powers above; machine:\nchange of the machine's"
                    + " memory since just before the start, including other programs\n");
            out().flush();
        }
    }

    private void draw(List<Footprint> all) {
        if (plot != null && all.isEmpty()) {
            throw new Failure("--plot: no job has run, so there is nothing to draw");
        }
        if (plot != null) {
            FootprintPlot.of(title(), Comparison.of(all)).write(plot);
        }
    }

    private String title() {
        return "all-to-all, " + rounds + " rounds, buffers: " + place;
    }
}
