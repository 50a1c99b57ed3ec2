// SPDX-License-Identifier: Apache-2.0
package io.hayate.junit;

import io.hayate.cli.run.Launcher;
import io.hayate.internal.job.RankFailure;
import io.hayate.internal.natives.PrivateDirectory;
import io.hayate.internal.natives.UnpackPlaces;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Runs a test in one JVM for each rank, by {@code hayate run}. */
final class RankProcesses {
    /** The file of the system properties in the directory of the outcomes. */
    static final String PROPERTIES = "properties";
    /** What JVMs may take to start and to end, on a busy machine. */
    private static final int START_SECONDS = 120;
    private static final Pattern TAGGED = Pattern.compile("\\[\\d+] .*");

    private final String test;
    private final Ranks ranks;
    /** What the launcher itself has said. */
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());

    RankProcesses(String test, Ranks ranks) {
        this.test = test;
        this.ranks = ranks;
    }

    List<RankFailure> run() throws IOException, InterruptedException {
        try (var made = PrivateDirectory.first(UnpackPlaces.all(), directory -> directory)) {
            Path directory = made.path();
            writeProperties(directory);
            launch(directory);
            return failures(directory);
        }
    }

    private static void writeProperties(Path directory) throws IOException {
        Properties texts = new Properties();
        Properties all = System.getProperties();
        all.stringPropertyNames().forEach(name -> texts.setProperty(name, all.getProperty(name)));
        try (OutputStream out = Files.newOutputStream(directory.resolve(PROPERTIES))) {
            texts.store(out, null);
        }
    }

    private void launch(Path directory) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("-n", Integer.toString(ranks.value()),
                "--tag-output", "--"));
        arguments.addAll(RankJvm.command(test, directory.toString()));
        Launcher.Guard job = Launcher.start(arguments, builder ->
                builder.redirectInput(new File("/dev/null")));
        Process process = job.process();
        Thread out = copy(process.getInputStream(), System.out);
        Thread err = copy(process.getErrorStream(), System.err);
        try {
            if (!process.waitFor(ranks.seconds() + START_SECONDS, TimeUnit.SECONDS)) {
                said.add("no end after " + (ranks.seconds() + START_SECONDS) + " s");
            }
        } finally {
            process.destroy(); // the launcher ends its ranks; it has mostly ended by itself
            job.await();
        }
        out.join();
        err.join();
    }

    private Thread copy(InputStream from, PrintStream to) {
        Thread copier = new Thread(() -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(from))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    to.println(line);
                    if (!TAGGED.matcher(line).matches()) {
                        said.add(line.replaceFirst("^hayate: ", ""));
                    }
                }
            } catch (IOException e) {
                said.add("its output was lost: " + e);
            }
        });
        copier.start();
        return copier;
    }

    private List<RankFailure> failures(Path directory) throws IOException {
        List<RankFailure> failures = new ArrayList<>();
        for (int rank = 0; rank < ranks.value(); rank++) {
            RankOutcome outcome = RankOutcome.read(directory, rank);
            if (outcome == null) {
                failures.add(died(rank));
            } else if (outcome.thrown() != null) {
                failures.add(new RankFailure(rank, outcome.time(), outcome.thrown()));
            }
        }
        return failures;
    }

    /**
     * The launcher names those that died by themselves, before it ends the others. If it has said
     * nothing, no process has failed: this one has exited with status 0.
     */
    private RankFailure died(int rank) {
        if (said.isEmpty()) {
            return new RankFailure(rank, Long.MIN_VALUE, new IllegalStateException(
                    "its process exited with status 0 before the test ended"));
        }
        List<String> about = said.stream().filter(line -> line.startsWith("rank " + rank + " "))
                .toList();
        return about.isEmpty()
                ? new RankFailure(rank, Long.MAX_VALUE, new IllegalStateException(
                        "its process ended before the test did; hayate run: "
                        + String.join("; ", said)))
                : new RankFailure(rank, Long.MIN_VALUE, new IllegalStateException(
                        "its process ended before the test did; hayate run: "
                        + String.join("; ", about)));
    }
}
