// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.delegation;

import io.hayate.bench.figures.Failure;
import io.hayate.bench.figures.Ranks;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Jobs on several nodes of one rank each, all of which are this machine, started by Hydra: with
 * delegatees, or without. Hydra does not look up the names of the nodes if it need not connect to
 * them.
 */
final class LocalNodes {
    private static final String HYDRA = "mpiexec.hydra";

    /**
     * The CPUs of rank 0, and of everything else: the other rank and the delegatees.
     *
     * @param busy of rank 0
     * @param free of the others
     */
    record Split(int busy, int free) {
        /** The first two CPUs that this process may use. */
        static Split here() {
            List<Integer> cpus = allowed();
            if (cpus.size() < 2) {
                throw new Failure("this process may use one CPU: expected two, one for"
                        + " rank 0 and one for all others");
            }
            return new Split(cpus.get(0), cpus.get(1));
        }

        /** The CPUs in a line such as "Cpus_allowed_list: 0-3,8". */
        private static List<Integer> allowed() {
            try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
                String list = lines.filter(line -> line.startsWith("Cpus_allowed_list:"))
                        .findFirst().orElseThrow().split(":")[1].strip();
                return Stream.of(list.split(",")).map(part -> part.split("-"))
                        .flatMapToInt(ends -> IntStream.rangeClosed(Integer.parseInt(ends[0]),
                                Integer.parseInt(ends[ends.length - 1]))).boxed().toList();
            } catch (IOException e) {
                throw new Failure("cannot read which CPUs this process may use: " + e);
            }
        }
    }

    private final Path hydra;
    private final int count;
    private final List<String> words;
    private final Split split;

    /** words: the command of a rank, which may use all CPUs. */
    LocalNodes(int count, List<String> words) {
        this(count, words, null);
    }

    /** Two nodes; split: null if all may use all CPUs. */
    LocalNodes(List<String> words, Split split) {
        this(2, words, split);
    }

    private LocalNodes(int count, List<String> words, Split split) {
        this.count = count;
        this.hydra = hydra(System.getenv().getOrDefault("PATH", ""));
        this.words = words;
        this.split = split;
    }

    /** Finds the launcher. */
    static Path hydra(String path) {
        for (String directory : path.split(File.pathSeparator)) {
            File file = new File(directory, HYDRA);
            if (!directory.isEmpty() && file.canExecute()) {
                return file.toPath();
            }
        }
        throw new Failure(HYDRA + " is not in the PATH: several nodes on one machine need"
                + " this launcher (Debian: apt-get install mpich). On several machines, start"
                + " 'hayate perf pingpong' with their launcher, with 'hayate run --delegate -n 1"
                + " --' before it and without");
    }

    private String hosts() {
        return IntStream.range(0, count).mapToObj(node -> "node-" + node + ":1")
                .collect(Collectors.joining(","));
    }

    /** The command that starts all ranks. launcher: of a rank with a delegatee; else null. */
    List<String> command(Path launcher) {
        List<String> command = new ArrayList<>(List.of(hydra.toString(), "-launcher", "fork",
                "-hosts", hosts()));
        if (split == null) {
            command.addAll(List.of("-n", String.valueOf(count)));
            command.addAll(rank(launcher, List.of("--bind", "none")));
            return command;
        }
        command.addAll(List.of("-n", "1"));
        if (launcher == null) {
            command.addAll(onCpu(split.busy));
        }
        command.addAll(rank(launcher, List.of("--bind", String.valueOf(split.busy),
                "--delegate-core", String.valueOf(split.free))));
        command.addAll(List.of(":", "-n", "1"));
        command.addAll(onCpu(split.free));
        command.addAll(rank(launcher, List.of("--bind", "none")));
        return command;
    }

    private static List<String> onCpu(int cpu) {
        return List.of("taskset", "-c", String.valueOf(cpu));
    }

    /** The command of a rank. binding: options of the launcher, if there is one. */
    private List<String> rank(Path launcher, List<String> binding) {
        if (launcher == null) {
            return words;
        }
        List<String> command = new ArrayList<>(List.of(launcher.toString(), "--delegate", "-n",
                "1"));
        command.addAll(binding);
        command.add("--");
        command.addAll(words);
        return command;
    }

    /**
     * Runs a job to its end.
     *
     * @param environment variables to add to the environment; a value that is null: to remove
     * @param sink receives the lines that the ranks print
     */
    void run(boolean delegated, Map<String, String> environment, Consumer<String> sink) {
        Path launcher = delegated ? Ranks.launcher() : null;
        ProcessBuilder builder = new ProcessBuilder(command(launcher))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        environment.forEach((name, value) -> {
            if (value == null) {
                builder.environment().remove(name);
            } else {
                builder.environment().put(name, value);
            }
        });
        Ranks.Job job = new Ranks.Job().start(builder);
        try (BufferedReader lines = job.process().inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(sink);
        } catch (IOException | UncheckedIOException e) {
            end(job);
            throw new Failure("cannot read the output of the ranks: " + e.getMessage());
        } catch (Failure e) {
            end(job);
            throw e;
        }
        int code = job.await();
        if (code != 0) {
            throw new Failure("a job on " + count + " nodes "
                    + (delegated ? "with" : "without") + " delegatees ended with " + code);
        }
    }

    private static void end(Ranks.Job job) {
        job.process().destroy();
        job.await();
    }
}
