// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Creates spaces and tasks for tests. */
public final class PvasTasks {
    private static final long MOST_NS = 120_000_000_000L;

    /** A space, or the end of the test where the machine cannot have one. */
    public static Pvas create() {
        return create(32);
    }

    static Pvas create(int tasks) {
        try {
            return Pvas.create(tasks, 0);
        } catch (UnsupportedException e) {
            return abort("no address space here: " + e.reason());
        }
    }

    public static PvasProgram sh(String script, String... arguments) {
        List<String> all = new ArrayList<>(List.of("-c", script));
        all.addAll(List.of(arguments));
        return PvasProgram.of("/bin/sh", all);
    }

    /** A shell whose output can be read. */
    static PvasProgram piped(String script) {
        return sh(script).stdout(Redirect.PIPE);
    }

    /** {@link PvasTaskMain} in a virtual machine like this one, as a task. */
    public static PvasProgram java(String... arguments) {
        List<String> all = new ArrayList<>(List.of("-XX:+UseSerialGC", "-Xmx64m",
                "-XX:TieredStopAtLevel=1", "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null"));
        if (Runtime.version().feature() >= 22) {
            all.add("--enable-native-access=ALL-UNNAMED");
        }
        all.addAll(List.of("-cp", System.getProperty("java.class.path"),
                PvasTaskMain.class.getName()));
        all.addAll(List.of(arguments));
        return PvasProgram.of(System.getProperty("java.home") + "/bin/java", all)
                .stdin(Redirect.PIPE);
    }

    static String output(PvasTask task) throws IOException {
        return new String(task.stdout().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** A zombie is gone. */
    public static boolean isGone(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.substring(stat.lastIndexOf(')')).startsWith(") Z");
        } catch (IOException gone) {
            return true;
        }
    }

    /**
     * What the descriptors of this process refer to, without numbers, and without files: the
     * virtual machine opens jars when it likes.
     */
    static List<String> descriptors() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.map(PvasTasks::target)
                    .filter(target -> !target.isEmpty()
                            && (!target.startsWith("/") || target.startsWith("/dev/")))
                    .sorted().toList();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString().replaceAll("\\d+", "");
        } catch (IOException closed) {
            return ""; // meanwhile, as the one of the listing itself
        }
    }

    /** A partition that is left would show by its 64 GiB. */
    static long addressSpaceKb() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmSize:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", ""))).sum();
        }
    }

    /** Lets the collector run until it is so, or for long enough. */
    public static boolean collectUntil(BooleanSupplier done) throws InterruptedException {
        long end = System.nanoTime() + MOST_NS;
        while (!done.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            System.gc();
            Thread.sleep(10);
        }
        return true;
    }

    /** A virtual thread; to be used from JDK 21 on. */
    static <T> FutureTask<T> virtually(Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        return task;
    }
}
