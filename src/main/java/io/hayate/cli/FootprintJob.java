// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.cli.footprint.AddressSpaces;
import io.hayate.cli.footprint.Footprint;
import io.hayate.cli.footprint.Kind;
import io.hayate.cli.footprint.MemoryUse;
import io.hayate.cli.footprint.Place;
import io.hayate.cli.footprint.Procfs;
import io.hayate.cli.footprint.Roster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Starts native ranks that send to each other, and looks at their memory while they stay. */
final class FootprintJob {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Path program;
    private final int rounds;
    private final Place place;

    FootprintJob(Path program, int rounds, Place place) {
        this.program = program;
        this.rounds = rounds;
        this.place = place;
    }

    /**
     * One job.
     *
     * @param kind of rank
     * @param ranks how many
     * @param bytes of a message
     * @param base what the launcher takes without ranks; null: its own address space is that
     * @return empty: it failed, and the launcher or a rank has said why
     */
    Optional<Footprint> measure(Kind kind, int ranks, int bytes, MemoryUse base) {
        MemoryUse before = Procfs.OWN.machine();
        Launcher.Guard guard = Launcher.start(arguments(kind, ranks, bytes), builder -> builder
                .redirectError(ProcessBuilder.Redirect.INHERIT));
        try {
            Roster roster = new Roster(ranks);
            if (!read(guard.process(), roster)) {
                return Optional.empty();
            }
            MemoryUse machine = Procfs.OWN.machine().minus(before);
            AddressSpaces spaces = spaces(guard.process());
            Set<Long> others = spaces.without(roster.processes());
            return Optional.of(new Footprint(ranks, kind, bytes, sum(spaces.all()),
                    base == null ? sum(others) : base, machine,
                    roster.nanos() / NANOS_PER_SECOND));
        } finally {
            dismiss(guard);
        }
    }

    private List<String> arguments(Kind kind, int ranks, int bytes) {
        List<String> words = new ArrayList<>(List.of("-n", Integer.toString(ranks)));
        if (kind == Kind.TASKS) {
            words.add("--pvas");
        }
        words.addAll(List.of("--", program.toString(), "rank", Integer.toString(bytes),
                Integer.toString(rounds), place.toString()));
        return words;
    }

    /** False: they ended before all had told. */
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
            throw new CommandFailure("cannot read what the ranks say: " + e.getMessage());
        }
    }

    /** Of the launcher and all that descends from it. */
    private AddressSpaces spaces(Process launcher) {
        List<String> words = new ArrayList<>(List.of(program.toString(), "spaces",
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
            if (Launcher.waitFor(helper) != 0) {
                throw new CommandFailure("it is not known which processes share memory");
            }
            return new AddressSpaces(lines);
        } catch (IOException | UncheckedIOException e) {
            throw new CommandFailure("cannot ask which processes share memory: " + e.getMessage());
        }
    }

    private static MemoryUse sum(Collection<Long> spaces) {
        return spaces.stream().map(Procfs.OWN::addressSpace).reduce(MemoryUse.NONE,
                MemoryUse::plus);
    }

    /** The end of its input lets rank 0 go, and with it all; one that has ended does not mind. */
    private static void dismiss(Launcher.Guard guard) {
        try (OutputStream input = guard.process().getOutputStream()) {
            input.flush();
        } catch (IOException e) {
            guard.process().destroy();
        }
        guard.await();
    }
}
