// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A job under way: its output so far, and its end. */
public final class RunningJob {
    /** Logs of virtual machines in the scratch directory begin with this. */
    static final String LOG = "vm_";

    private final Process process;
    private final Path scratch;
    private final Duration limit;
    private final boolean checked;
    private final long started = System.nanoTime();
    private final List<String> out = new ArrayList<>();
    private final List<String> err = new ArrayList<>();
    private final List<Thread> readers = new ArrayList<>();

    /** {@code checked}: each virtual machine keeps a log in the scratch directory. */
    RunningJob(ProcessBuilder builder, Path scratch, Duration limit, boolean checked)
            throws IOException {
        this.scratch = scratch;
        this.limit = limit;
        this.checked = checked;
        process = builder.start();
        process.getOutputStream().close();
        read(process.getInputStream(), out);
        read(process.getErrorStream(), err);
    }

    /** Of the launcher, or of the program without one. */
    public long pid() {
        return process.pid();
    }

    /** Waits until so many lines of the output match; the groups 1 of them. */
    public List<String> await(String pattern, int count) throws InterruptedException {
        Pattern compiled = Pattern.compile(pattern);
        synchronized (out) {
            while (true) {
                List<String> found = matches(compiled);
                if (found.size() >= count) {
                    return found;
                }
                long left = limit.toMillis() - (System.nanoTime() - started) / 1_000_000;
                boolean ended = readers.stream().noneMatch(Thread::isAlive);
                if (left <= 0 || ended) {
                    throw new AssertionError("no " + count + " lines " + pattern + " in\n"
                            + String.join("\n", out) + "\n" + String.join("\n", err));
                }
                out.wait(Math.min(left, 100));
            }
        }
    }

    /** Sends a signal by the kill that every shell has; kill(1) may not be installed. */
    public static void signal(String name, long pid) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).start().waitFor();
        if (exit != 0) {
            throw new AssertionError("kill -" + name + " " + pid + " ended with " + exit);
        }
    }

    /** Waits for the end; a job that hangs is asked for its stacks, then to end, and killed. */
    public Outcome finish() throws IOException, InterruptedException {
        long left = limit.toNanos() - (System.nanoTime() - started);
        boolean ended = process.waitFor(left, TimeUnit.NANOSECONDS);
        if (!ended) {
            signal("QUIT", process.pid());
            process.waitFor(2, TimeUnit.SECONDS);
            end();
        }
        for (Thread reader : readers) {
            reader.join(20_000);
        }
        synchronized (out) {
            int exit = ended ? process.exitValue() : Outcome.HUNG;
            return new Outcome(exit, List.copyOf(out), List.copyOf(err), left(exit == 0),
                    Duration.ofNanos(System.nanoTime() - started));
        }
    }

    /** Who is asked to end cleans up, and is still heard: Process.destroy() closes the streams. */
    private void end() throws InterruptedException {
        List<ProcessHandle> all = process.descendants().toList();
        process.toHandle().destroy();
        process.waitFor(5, TimeUnit.SECONDS);
        all.forEach(ProcessHandle::destroyForcibly);
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    /**
     * What is in the temporary directory of the job, which is removed when that is nothing; of logs
     * what they tell, and that there is none of a job that was checked and ended well.
     */
    private List<String> left(boolean well) throws IOException {
        List<String> left = new ArrayList<>();
        int logs = 0;
        for (Path file : filesLeft()) {
            if (file.getParent().equals(scratch) && file.getFileName().toString().startsWith(LOG)) {
                left.addAll(JniWarnings.in(file));
                Files.delete(file);
                logs++;
            } else {
                left.add(file.toString());
            }
        }
        if (checked && well && logs == 0) {
            left.add("no virtual machine has kept a log of -Xcheck:jni");
        }
        if (filesLeft().isEmpty()) {
            Files.delete(scratch);
        }
        return left;
    }

    private List<Path> filesLeft() throws IOException {
        try (Stream<Path> files = Files.walk(scratch)) {
            return files.filter(file -> !file.equals(scratch)).toList();
        }
    }

    private List<String> matches(Pattern pattern) {
        List<String> found = new ArrayList<>();
        for (String line : out) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.find()) {
                found.add(matcher.group(1));
            }
        }
        return found;
    }

    private void read(InputStream stream, List<String> lines) {
        Thread reader = new Thread(() -> {
            try (BufferedReader text = new BufferedReader(
                    new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = text.readLine(); line != null; line = text.readLine()) {
                    synchronized (out) {
                        lines.add(line);
                        out.notifyAll();
                    }
                }
            } catch (IOException closed) {
                // The process is gone.
            }
        });
        reader.setDaemon(true);
        reader.start();
        readers.add(reader);
    }
}
