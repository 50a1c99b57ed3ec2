// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import io.hayate.cli.command.CheckedCommand;
import io.hayate.cli.command.CommandFailure;
import io.hayate.cli.command.Version;
import io.hayate.cli.job.JobInfo;
import io.hayate.cli.machine.Cpus;
import io.hayate.cli.machine.Machine;
import io.hayate.cli.output.ByteSizes;
import io.hayate.cli.output.Picture;
import io.hayate.cli.run.Launcher;
import io.hayate.cli.run.OwnCommand;
import io.hayate.internal.natives.Paths;
import io.hayate.internal.natives.PrivateDirectory;
import io.hayate.internal.natives.UnpackPlaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code hayate tune}: measures the cost model of this machine, or checks its choices. */
@Command(name = "tune",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {"Measures the terms of the cost model between two ranks and stores them for"
                + " this machine; later jobs choose their collectives by them. Started by mpiexec"
                + " on several nodes, it measures the network.",
            "The machine should be idle; if other programs use its CPUs, the command says so.",
            "With --check, it times every candidate in each cell of a grid, and reports how often"
                    + " the choice is the best or within 10 %% of it. Bytes are those of the whole"
                    + " data (bcast, reduce, allreduce) or of a block."},
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  hayate tune",
            "  hayate tune --seconds 20 --out quick.conf",
            "  mpiexec -n 2 -ppn 1 hayate tune",
            "  hayate tune --check --quick",
            "  hayate tune --check --ranks 2,4 --collectives allreduce,bcast --bytes 4:64K"})
public final class TuneCommand extends CheckedCommand {
    private static final int LEAST_SECONDS = 5;
    private static final int MOST_SECONDS = 60;
    private static final int MOST_RANKS = 256;
    private static final long MOST_BYTES = 64L << 20;
    private static final double LEAST_CELL = 0.05;
    private static final double MOST_CELL = 600;
    private static final double CELL = 2.4;
    private static final double QUICK_CELL = 1.2;
    private static final int FACTOR = 4;
    private static final int QUICK_FACTOR = 64;
    private static final long LOOK_NANOS = 500_000_000;
    private static final double BUSY_CPUS = 0.3;
    private static final String HEAP = "HAYATE_HEAP";
    private static final String TUNING = "HAYATE_TUNING";

    private final List<String> arguments;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "40",
            description = "Total time of the measurement in seconds, 5 to 60 (default 40).")
    private int seconds;

    @Option(names = "--out", paramLabel = "FILE",
            description = "File for the terms, instead of the file that jobs read (HAYATE_TUNING,"
                    + " or below ~/.cache/hayate).")
    private Path out;

    @Option(names = "--check", description = "Compare choices with measurements instead.")
    private boolean check;

    @Option(names = "--quick", description = "Use a coarser grid, which takes about two minutes.")
    private boolean quick;

    @Option(names = "--ranks", paramLabel = "N", split = ",",
            description = "Numbers of ranks (default 2,3,4,8).")
    private List<Integer> ranks;

    @Option(names = "--collectives", paramLabel = "NAME", split = ",",
            description = "Collectives, as in hayate explain (default: all).")
    private List<String> collectives;

    @Option(names = "--bytes", paramLabel = "SIZES",
            description = "Sizes such as 4,64K, or a:b for a, 4a, 16a .. b (default 4:4M).")
    private String bytes;

    @Option(names = "--seconds-per", paramLabel = "S",
            description = "Seconds for each cell (default 2.4, with --quick 1.2).")
    private Double secondsPer;

    @Option(names = "--stale", description = "Time runs in a loop without touching the data. By"
            + " default each run writes its data before and reads them after, so that they move"
            + " between caches.")
    private boolean stale;

    @Option(names = "--measured", description = "Compare the choices by measurement"
            + " (choice=measured) instead of those by the model.")
    private boolean measured;

    @Option(names = "--md", paramLabel = "FILE", description = "Also write the tables as Markdown.")
    private Path markdown;

    @Option(names = "--plot", paramLabel = "FILE", description = "Also draw how much slower the"
            + " choices are than the fastest candidates, against the size; only SVG.")
    private Path plot;

    @Option(names = "--json", description = "Print one JSON object; with --check one for each"
            + " cell, one per line, then the summary.")
    private boolean json;

    @Option(names = "--quiet", description = "Show no progress on standard error.")
    private boolean quiet;

    /** The file in which rank 0 leaves the cells for the process that started it. */
    @Option(names = "--results", paramLabel = "FILE", hidden = true)
    private Path results;

    public TuneCommand(String... arguments) {
        this.arguments = List.of(arguments);
    }

    @Override
    public Integer call() {
        require(seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS, "--seconds " + seconds
                + ": expected " + LEAST_SECONDS + " to " + MOST_SECONDS);
        require(check || !(quick || ranks != null || collectives != null || bytes != null
                || secondsPer != null || stale || measured || markdown != null || plot != null),
                "--quick, --ranks, --collectives, --bytes, --seconds-per, --stale, --measured,"
                        + " --md and --plot need --check");
        Picture.check(plot);
        require(!check || out == null, "--out cannot be used with --check");
        if (check) {
            Grid grid = grid();
            return JobInfo.isRank() ? checkHere(grid) : startChecks(grid);
        }
        return JobInfo.isRank() ? tuneHere() : startTuning();
    }

    // ---- measuring ----

    private int startTuning() {
        String path = path(); // reports errors in the path before the measurement
        noteOthers();
        note("measuring for " + seconds + " s, results go to " + path);
        List<String> command = new ArrayList<>(OwnCommand.measuringRanks(2));
        command.add("--");
        command.addAll(OwnCommand.withArguments(arguments));
        if (!isMissing(System.getenv(TUNING))) {
            return Launcher.run(command, Map.of());
        }
        if (out == null) {
            command.addAll(List.of("--out", path));
        }
        return Launcher.run(command, Map.of(TUNING, "none")); // the ranks need not warn of it
    }

    /** Whether a file is named that does not exist yet. */
    private static boolean isMissing(String file) {
        return file != null && !file.isEmpty() && !file.equals("none")
                && Files.notExists(path(file));
    }

    private static Path path(String file) {
        return Paths.of(file).orElseThrow(() -> new CommandFailure(Paths.fault(file)));
    }

    private String path() {
        Path file = out == null ? path(Tuning.path()) : out.toAbsolutePath();
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new CommandFailure(file + ": is not a regular file; name another one with --out");
        }
        return file.toString();
    }

    private void note(String text) {
        if (!quiet) {
            err().println("hayate tune: " + text);
            err().flush();
        }
    }

    /** Says if other programs run, because what is measured is then too slow, and not steady. */
    private void noteOthers() {
        Cpus cpus = new Cpus(Machine.here());
        double before = cpus.busySeconds() - ownSeconds();
        long begin = System.nanoTime();
        LockSupport.parkNanos(LOOK_NANOS);
        double used = (cpus.busySeconds() - ownSeconds() - before)
                / ((System.nanoTime() - begin) / 1e9);
        if (used >= BUSY_CPUS) {
            note(String.format(Locale.ROOT, "the machine is busy: other programs use about %.1f of"
                    + " its %d CPUs, so the times will be too long; measure again when it is idle",
                    used, Runtime.getRuntime().availableProcessors()));
        }
    }

    private static double ownSeconds() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toMillis()
                / 1e3;
    }

    private int tuneHere() {
        try (Member member = new Member(); Tuning tuning = new Tuning(member)) {
            try (ProgressBar bar = bar(member)) {
                tuning.measure(seconds, bar);
            }
            if (member.rank() == 0) {
                finish(tuning);
            }
        }
        return 0;
    }

    private ProgressBar bar(Member member) {
        return new ProgressBar(err(), !quiet && member.rank() == 0);
    }

    private void finish(Tuning tuning) {
        String path = path();
        String before = Tuning.isFile(path) ? "the previous file" : "the default";
        TuneReport report = new TuneReport(tuning.numbers(path), tuning.refused(), before, path,
                Tuning.machine(), tuning.steadiness());
        tuning.store(path);
        report.print(out(), json);
    }

    // ---- checking ----

    private Grid grid() {
        List<Integer> counts = ranks != null ? ranks
                : quick ? List.of(2, 4, 8) : List.of(2, 3, 4, 8);
        List<String> names = collectives != null ? collectives : Grid.ALL;
        double each = secondsPer != null ? secondsPer : quick ? QUICK_CELL : CELL;
        counts.forEach(n -> requireRange("--ranks", n, 2, MOST_RANKS));
        names.forEach(name -> require(Grid.ALL.contains(name), "--collectives " + name
                + ": expected some of " + String.join(", ", Grid.ALL)));
        require(each >= LEAST_CELL && each <= MOST_CELL, "--seconds-per " + each + ": expected "
                + LEAST_CELL + " to " + MOST_CELL);
        return new Grid(names, counts, sizes(names), each, !stale, measured);
    }

    private List<Integer> sizes(List<String> names) {
        try {
            List<Integer> sizes = ByteSizes.of(bytes == null ? "4:4M" : bytes,
                    quick ? QUICK_FACTOR : FACTOR).bytes();
            boolean reduced = names.stream().anyMatch(name -> name.contains("reduce"));
            sizes.forEach(size -> require(size > 0 && size <= MOST_BYTES, "--bytes " + size
                    + ": expected 1 to 64M"));
            sizes.forEach(size -> require(!reduced || size % Float.BYTES == 0, "--bytes " + size
                    + ": the collective adds numbers, expected a multiple of 4"));
            return sizes;
        } catch (TypeConversionException e) {
            throw wrong("--bytes " + e.getMessage());
        }
    }

    /** Runs one job for each number of ranks. */
    private int startChecks(Grid grid) {
        noteOthers();
        note(grid.describe());
        try (var directory = PrivateDirectory.first(UnpackPlaces.all(), made -> made)) {
            Path file = Files.createFile(directory.path().resolve("cells.tsv"));
            for (int count : grid.ranks()) {
                int code = startCheck(grid, count, file);
                if (code != 0) {
                    return code;
                }
            }
            report(Check.read(file));
        } catch (IOException e) {
            throw new CommandFailure("cannot write or read the results: " + e);
        }
        return 0;
    }

    private int startCheck(Grid grid, int count, Path file) {
        List<String> command = new ArrayList<>(OwnCommand.measuringRanks(count));
        command.add("--");
        command.addAll(OwnCommand.withArguments(arguments));
        command.addAll(List.of("--results", file.toString()));
        return Launcher.run(command, environment(grid, count));
    }

    /** Removes hints from the environment, which would hide the choices to be compared. */
    private static Map<String, String> environment(Grid grid, int count) {
        Map<String, String> environment = new LinkedHashMap<>();
        System.getenv().keySet().stream().filter(name -> name.startsWith("HAYATE_COLL"))
                .forEach(name -> environment.put(name, ""));
        if (System.getenv().getOrDefault(HEAP, "").isEmpty()) {
            environment.put(HEAP, String.valueOf(grid.heap(count)));
        }
        return environment;
    }

    private int checkHere(Grid grid) {
        try (Member member = new Member()) {
            List<Cell> cells = check(grid, member);
            if (member.rank() == 0 && results == null) {
                report(cells);
            }
        }
        return 0;
    }

    private List<Cell> check(Grid grid, Member member) {
        try (ProgressBar bar = bar(member)) {
            return new Check(grid, bar, results).run(member);
        }
    }

    private void report(List<Cell> cells) {
        CheckReport report = new CheckReport(cells, Tuning.model());
        report.print(out(), json);
        if (plot != null) {
            Picture.write(plot, CheckPlot.of(cells, Tuning.model()));
        }
        try {
            if (markdown != null) {
                Files.writeString(markdown, report.markdown(Tuning.machine()));
            }
        } catch (IOException e) {
            throw new CommandFailure("cannot write --md " + markdown + ": " + e.getMessage());
        }
    }
}
