// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Runs the benchmarks as users start them; for their tests. */
final class NasRuns {
    private NasRuns() {}

    static void needTheLauncher() {
        Path launcher = Path.of(Launch.launcher());
        Assumptions.assumeTrue(Files.isExecutable(launcher), () -> launcher + " is not built");
    }

    /** Options are separated by blanks. */
    static Launch launch(Class<? extends Benchmark> benchmark, int ranks, String options) {
        String[] words = Stream.of(options.split(" ")).filter(word -> !word.isEmpty())
                .toArray(String[]::new);
        return Launch.of(benchmark, words).ranks(ranks).unchecked().limit(Duration.ofSeconds(90));
    }

    /** What it prints as JSON, verified. */
    static JsonObject verified(Launch launch, int ranks) throws Exception {
        Outcome outcome = launch.run().good();
        JsonObject json = json(outcome);
        assertTrue(json.get("verified").getAsBoolean(), outcome.describe());
        assertEquals(ranks, json.get("ranks").getAsInt());
        assertTrue(json.get("seconds").getAsDouble() > 0, outcome.describe());
        assertTrue(json.get("mops").getAsDouble() > 0, outcome.describe());
        return json;
    }

    static JsonObject verified(Class<? extends Benchmark> benchmark, int ranks, String options)
            throws Exception {
        return verified(launch(benchmark, ranks, "--json " + options), ranks);
    }

    /** The verification has to find the error that is planted. */
    static JsonObject damaged(Class<? extends Benchmark> benchmark, int ranks, String options)
            throws Exception {
        Outcome outcome = launch(benchmark, ranks, "--json --damage " + options).run();
        assertEquals(1, outcome.exit(), outcome.describe());
        JsonObject json = json(outcome);
        assertFalse(json.get("verified").getAsBoolean(), outcome.describe());
        assertEquals(1, said(outcome, "verification failed"), outcome.describe());
        return json;
    }

    /** Lines of the error output that have the words. */
    static long said(Outcome outcome, String words) {
        return outcome.err().stream().filter(line -> line.contains(words)).count();
    }

    private static JsonObject json(Outcome outcome) {
        List<String> lines = outcome.out().stream().filter(line -> line.startsWith("{")).toList();
        assertEquals(1, lines.size(), outcome.describe());
        return JsonParser.parseString(lines.get(0)).getAsJsonObject();
    }
}
