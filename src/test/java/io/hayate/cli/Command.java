// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.cli.run.Launcher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the command line for tests, in a separate process or in this one. */
public record Command(int code, String out, String err) {
    private static final int SECONDS = 300;

    public static Command run(String... arguments) {
        return run(List.of(), Map.of(), arguments);
    }

    public static Command run(List<String> options, Map<String, String> environment,
            String... arguments) {
        try {
            Path out = Files.createTempFile("hayate-out", "");
            Path err = Files.createTempFile("hayate-err", "");
            Process process = start(options, environment, out, err, arguments);
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("no end within " + SECONDS + " s: "
                        + Files.readString(err));
            }
            return new Command(process.exitValue(), taken(out), taken(err));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** In this process, which takes a tenth of the time: for what needs no setting of its own. */
    public static Command here(String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
        try {
            int code = Main.execute(arguments);
            return new Command(code, said.toString(StandardCharsets.UTF_8),
                    complained.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    public static Process start(List<String> options, Map<String, String> environment, Path out,
            Path err,
            String... arguments) throws IOException {
        List<String> words = new ArrayList<>(words(options));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words).redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().remove("HAYATE_LOG"); // what it says is tested
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** What starts the command line as these tests were started. */
    public static List<String> words(List<String> options) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Started many times, and over soon.
        words.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        if (Runtime.version().feature() >= 24) {
            words.add("--enable-native-access=ALL-UNNAMED");
        }
        String launcher = System.getProperty(Launcher.PROPERTY);
        if (launcher != null) {
            words.add("-D" + Launcher.PROPERTY + "=" + launcher);
        }
        words.addAll(options);
        words.add("-cp");
        words.add(System.getProperty("surefire.test.class.path",
                System.getProperty("java.class.path")));
        words.add(Main.class.getName());
        return words;
    }

    private static String taken(Path file) throws IOException {
        String text = Files.readString(file);
        Files.delete(file);
        return text;
    }
}
