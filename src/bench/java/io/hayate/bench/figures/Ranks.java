// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures;

import io.hayate.Hayate;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** How ranks are started: the launcher, and the words of a JVM like this one. */
public final class Ranks {
    private static final String COLLECTOR = "-XX:[+-]Use[A-Za-z0-9]*GC";

    private Ranks() {
    }

    /** Returns whether a launcher started this process as a rank. */
    public static boolean isRank() {
        return Stream.of("HAYATE_BOOT_FD", "PMIX_RANK", "PMI_FD", "PMI_PORT")
                .anyMatch(name -> !System.getenv().getOrDefault(name, "").isEmpty());
    }

    /** Joins the job of this rank, which must have two ranks. */
    public static Hayate pair() {
        Hayate job = Hayate.init();
        if (job.size() != 2) {
            int size = job.size();
            job.close();
            throw new Failure("a job of " + size + " ranks: expected 2");
        }
        return job;
    }

    /** Returns what the build made: a file in the folder of the classes' folder. */
    public static Path built(String name) {
        try {
            return Path.of(Ranks.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                    .resolveSibling(name);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the launcher. */
    public static Path launcher() {
        String named = System.getenv().getOrDefault("HAYATE_RUN", "");
        return named.isEmpty() ? built("hayate-run") : Path.of(named).toAbsolutePath();
    }

    /**
     * Returns the words that start a JVM with the options and the class path of this one.
     *
     * @param options to add; one for a collector replaces that of this JVM
     * @param program the class to run, and its arguments
     */
    public static List<String> java(List<String> options, String... program) {
        List<String> own = new ArrayList<>(
                ManagementFactory.getRuntimeMXBean().getInputArguments());
        if (options.stream().anyMatch(option -> option.matches(COLLECTOR))) {
            own.removeIf(option -> option.matches(COLLECTOR));
        }
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(options);
        words.addAll(own);
        words.addAll(List.of("-cp", System.getProperty("java.class.path")));
        words.addAll(List.of(program));
        return words;
    }

    /** Returns the words of a rank that runs figures. */
    public static List<String> figure(List<String> options, List<String> arguments) {
        List<String> words = java(options, Figures.class.getName());
        words.addAll(arguments);
        return words;
    }

    /** Runs figures in {@code ranks} ranks, which may use all CPUs, and returns the exit status. */
    static int run(int ranks, List<String> arguments) {
        List<String> words = new ArrayList<>(List.of(launcher().toString(), "-n",
                String.valueOf(ranks), "--bind", "none", "--"));
        words.addAll(figure(List.of(), arguments));
        return new Job().start(new ProcessBuilder(words).inheritIO()).await();
    }

    /** A process that ends when this JVM ends. */
    public static final class Job extends Thread {
        private Process process;

        /** Starts it. Shares a lock with {@link #run}, so that no process is overlooked. */
        public synchronized Job start(ProcessBuilder builder) {
            Runtime.getRuntime().addShutdownHook(this);
            try {
                process = builder.start();
            } catch (IOException e) {
                throw new Failure("cannot execute " + builder.command().get(0) + ": "
                        + e.getMessage());
            }
            return this;
        }

        /** Returns the process. */
        public Process process() {
            return process;
        }

        /** Waits for its end, and returns its exit status. */
        public int await() {
            int code = waitFor(process);
            try {
                Runtime.getRuntime().removeShutdownHook(this);
            } catch (IllegalStateException e) {
                return code; // the JVM is already shutting down
            }
            return code;
        }

        @Override
        public synchronized void run() {
            if (process != null) {
                process.destroy();
                waitFor(process);
            }
        }
    }

    /** Waits for the end of a process, and returns its exit status. */
    public static int waitFor(Process process) {
        while (true) {
            try {
                return process.waitFor();
            } catch (InterruptedException e) {
                process.destroy();
            }
        }
    }
}
