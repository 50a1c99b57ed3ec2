// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A figure that was measured in a process of its own.
 *
 * @param code the exit status
 * @param out standard output
 * @param err standard error
 */
public record FigureRun(int code, String out, String err) {
    private static final int SECONDS = 300;

    /** Runs a command line such as "threads --bytes 8". */
    public static FigureRun of(String line) {
        return of(List.of(), Map.of(), line);
    }

    /** Runs it with additional options of the JVM and variables of the environment. */
    public static FigureRun of(List<String> options, Map<String, String> environment, String line) {
        try {
            Path out = Files.createTempFile("figure-out", "");
            Path err = Files.createTempFile("figure-err", "");
            ProcessBuilder builder = new ProcessBuilder(words(options, line))
                    .redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().remove("HAYATE_LOG"); // what it says is tested
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("no end of " + line + ": " + Files.readString(err));
            }
            return new FigureRun(process.exitValue(), taken(out), taken(err));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The words that start it. */
    public static List<String> words(List<String> options, String line) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Started many times, and over soon.
                "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-Djava.awt.headless=true"));
        if (Runtime.version().feature() >= 24) {
            words.add("--enable-native-access=ALL-UNNAMED");
        }
        words.addAll(options);
        words.addAll(List.of("-cp", System.getProperty("surefire.test.class.path",
                System.getProperty("java.class.path")), Figures.class.getName()));
        words.addAll(List.of(line.split(" ")));
        return words;
    }

    private static String taken(Path file) throws IOException {
        String text = Files.readString(file);
        Files.delete(file);
        return text;
    }

    /** Returns the objects that it printed; it must have succeeded. */
    public List<JsonObject> lines() {
        assertEquals(0, code, err);
        return out.lines().map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
    }
}
