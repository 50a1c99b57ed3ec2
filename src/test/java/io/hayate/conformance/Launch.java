// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;

/** Starts the ranks of a test. */
public final class Launch {
    private final List<String> program;
    private final List<String> before = new ArrayList<>();
    private final List<String> wrapper = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private final List<String> jvm = new ArrayList<>();
    private final Map<String, String> environment = new TreeMap<>();
    private final List<String> launcher = new ArrayList<>();
    private String classpath = System.getProperty("java.class.path");
    private int ranks = 1;
    private Duration limit = Duration.ofSeconds(300);
    private boolean checked = true;
    private boolean threads;

    private Launch(List<String> program) {
        this.program = program;
    }

    /** A Java program of the test class path, in a job of one rank unless more are asked for. */
    public static Launch of(Class<?> main, String... arguments) {
        List<String> program = new ArrayList<>(List.of(main.getName()));
        program.addAll(List.of(arguments));
        return new Launch(program);
    }

    /** More arguments of the program. */
    public Launch arguments(String... more) {
        program.addAll(List.of(more));
        return this;
    }

    /** Ranks, by the launcher; 0: without it. */
    public Launch ranks(int count) {
        ranks = count;
        return this;
    }

    /** The ranks are threads of one program, for {@link RankMain}, and there is no launcher. */
    public Launch asThreads() {
        threads = true;
        return this;
    }

    /** By another launcher than ours, which understands -n. */
    public Launch by(String... command) {
        launcher.addAll(List.of(command));
        return this;
    }

    /** Options of the launcher. */
    public Launch options(String... more) {
        options.addAll(List.of(more));
        return this;
    }

    /** Options of the Java virtual machine. */
    public Launch jvm(String... more) {
        jvm.addAll(List.of(more));
        return this;
    }

    /** Classes that come before those of the test class path. */
    public Launch classesFirst(Path jar) {
        classpath = jar + File.pathSeparator + classpath;
        return this;
    }

    public Launch environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    public Launch environment(Map<String, String> more) {
        environment.putAll(more);
        return this;
    }

    /** A command that is given the launcher and all the rest as arguments. */
    public Launch before(String... command) {
        before.addAll(List.of(command));
        return this;
    }

    /** A command that each rank runs, with the Java program as its arguments. */
    public Launch program(String... command) {
        wrapper.addAll(List.of(command));
        return this;
    }

    /** Time after which a job is taken to hang. */
    public Launch limit(Duration most) {
        limit = most;
        return this;
    }

    /** Without -Xcheck:jni, which writes to the standard output. */
    public Launch unchecked() {
        checked = false;
        return this;
    }

    public RunningJob start() throws IOException {
        Path scratch = java.nio.file.Files.createTempDirectory("hayate-it");
        ProcessBuilder builder = new ProcessBuilder(command(scratch));
        builder.environment().keySet().removeIf(name -> name.startsWith("HAYATE_"));
        builder.environment().putAll(environment);
        return new RunningJob(builder, scratch, limit, checked);
    }

    public Outcome run() throws IOException, InterruptedException {
        return start().finish();
    }

    private List<String> command(Path scratch) {
        List<String> command = new ArrayList<>(before);
        if (ranks > 0 && !threads) {
            command.addAll(launcher.isEmpty() ? List.of(launcher()) : launcher);
            command.addAll(List.of("-n", Integer.toString(ranks)));
            command.addAll(options);
            command.addAll(launcher.isEmpty() ? List.of("--") : List.of());
        }
        command.addAll(wrapper);
        command.addAll(java(scratch));
        command.addAll(jvm);
        command.addAll(List.of("-cp", classpath));
        command.addAll(program);
        return command;
    }

    private List<String> java(Path scratch) {
        List<String> java = new ArrayList<>(List.of(javaCommand(), "-Xmx256m",
                "-XX:TieredStopAtLevel=1", "-XX:ErrorFile=" + scratch + "/hs_err_%p.log",
                "-XX:-CreateCoredumpOnCrash", "-Djava.io.tmpdir=" + scratch,
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1"));
        if (checked) {
            java.add("-Xcheck:jni");
            java.addAll(JniWarnings.log(scratch + "/" + RunningJob.LOG + "%p.log"));
        }
        if (jvm.stream().noneMatch(option -> option.matches("-XX:\\+Use\\w+GC"))) {
            java.add("-XX:+UseSerialGC"); // starts in less time; tests of the others name them
        }
        if (threads) {
            java.add("-D" + RankMain.THREADS + "=" + ranks);
        }
        if (Runtime.version().feature() >= 24) {
            java.add("--enable-native-access=ALL-UNNAMED");
        }
        return java;
    }

    /** The native launcher of this build. */
    public static String launcher() {
        return System.getProperty("hayate.run", "target/hayate-run");
    }

    /** Skips the tests of a class if there is none. */
    public static void assumeBuilt() {
        Path launcher = Path.of(launcher());
        Assumptions.assumeTrue(Files.isExecutable(launcher), () -> launcher + " is not built");
    }

    private static String javaCommand() {
        return System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    }
}
