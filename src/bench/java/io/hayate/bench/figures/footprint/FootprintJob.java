// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import io.hayate.bench.figures.Failure;
import io.hayate.bench.figures.Ranks;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Starts native ranks that send to each other, and measures their memory while they wait. */
final class FootprintJob {
    private static final double NANOS_PER_SECOND = 1e9;

    private final String program = Ranks.built("bench-programs/footprint").toString();
    private final int rounds;
    private final Place place;

    FootprintJob(int rounds, Place place) {
        this.rounds = rounds;
        this.place = place;
    }

    /**
     * Runs one job.
     *
     * @param kind kind of the ranks
     * @param ranks number of ranks
     * @param bytes size of a message
     * @param base memory of the launcher without ranks; null: that of its address space
     * @return the result; empty if the job failed, and the launcher or a rank has printed the
     *     reason
     */
    Optional<Footprint> measure(Kind kind, int ranks, int bytes, MemoryUse base) {
        MemoryUse before = Procfs.OWN.machine();
        Ranks.Job job = new Ranks.Job().start(new ProcessBuilder(words(kind, ranks, bytes))
                .redirectError(ProcessBuilder.Redirect.INHERIT));
        try {
            Roster roster = new Roster(ranks);
            if (!read(job.process(), roster)) {
                return Optional.empty();
            }
            MemoryUse machine = Procfs.OWN.machine().minus(before);
            AddressSpaces spaces = spaces(job.process());
            Set<Long> others = spaces.without(roster.processes());
            return Optional.of(new Footprint(ranks, kind, bytes, sum(spaces.all()),
                    base == null ? sum(others) : base, machine,
                    roster.nanos() / NANOS_PER_SECOND));
        } finally {
            dismiss(job);
        }
    }

    private List<String> words(Kind kind, int ranks, int bytes) {
        // Rank 0 reports the end after all others have reported: their order counts.
        List<String> words = new ArrayList<>(
                List.of(Ranks.launcher().toString(), "--output", "direct", "-n",
                        Integer.toString(ranks)));
        if (kind == Kind.TASKS) {
            words.add("--pvas");
        }
        words.addAll(List.of("--", program, "rank", Integer.toString(bytes),
                Integer.toString(rounds), place.toString()));
        return words;
    }

    /** Returns false if the ranks ended before all of them had reported. */
    private static boolean read(Process launcher, Roster roster) {
        try {
            BufferedReader reader = launcher.inputReader(StandardCharsets.US_ASCII);
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (roster.take(line)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new Failure("cannot read the output of the ranks: " + e.getMessage());
        }
    }

    /** Returns the memory of the launcher and all its descendants. */
    private AddressSpaces spaces(Process launcher) {
        List<String> words = new ArrayList<>(List.of(program, "spaces",
                Long.toString(launcher.pid())));
        launcher.descendants().map(ProcessHandle::pid).map(String::valueOf).forEach(words::add);
        try {
            Process helper = new ProcessBuilder(words)
                    .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            helper.getOutputStream().close();
            List<String> lines;
            try (BufferedReader reader = helper.inputReader(StandardCharsets.US_ASCII)) {
                lines = reader.lines().toList();
            }
            if (Ranks.waitFor(helper) != 0) {
                throw new Failure("the kernel does not tell which processes share memory");
            }
            return new AddressSpaces(lines);
        } catch (IOException | UncheckedIOException e) {
            throw new Failure("cannot find out which processes share memory:"
                    + " " + e.getMessage());
        }
    }

    private static MemoryUse sum(Collection<Long> spaces) {
        return spaces.stream().map(Procfs.OWN::addressSpace).reduce(MemoryUse.NONE,
                MemoryUse::plus);
    }

    /** Closes the input of rank 0, which lets all ranks end; a rank that has ended ignores it. */
    private static void dismiss(Ranks.Job job) {
        try (OutputStream input = job.process().getOutputStream()) {
            input.flush();
        } catch (IOException e) {
            job.process().destroy();
        }
        job.await();
    }
}
