// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Runs examples as users start them, on several ranks. Without -Xcheck:jni, which finds faults in
 * JNA's loading of its own library.
 */
@Tag("example")
public abstract class ExampleSuite {
    @BeforeAll
    static void needsTheLauncher() {
        Launch.assumeBuilt();
    }

    protected static Launch launch(Class<?> program, int ranks, String... options) {
        return Launch.of(program, options).ranks(ranks).unchecked();
    }

    /** The one line of JSON that it prints. */
    protected static JsonObject json(Outcome outcome) {
        List<String> lines = outcome.out().stream().filter(line -> line.startsWith("{")).toList();
        assertEquals(1, lines.size(), outcome.describe());
        return JsonParser.parseString(lines.get(0)).getAsJsonObject();
    }

    /** Likewise, and its results are right. */
    protected static JsonObject good(Outcome outcome) {
        JsonObject json = json(outcome.good());
        assertTrue(json.get("good").getAsBoolean(), outcome.describe());
        return json;
    }

    protected static double number(JsonObject json, String name) {
        return json.get(name).getAsDouble();
    }

    /** It ends with this code, and one line of the error output has the words. */
    protected static void assertSaid(Outcome outcome, int exit, String words) {
        assertEquals(exit, outcome.exit(), outcome.describe());
        assertEquals(List.of(), outcome.faults());
        assertEquals(1, outcome.err().stream().filter(line -> line.contains(words)).count(),
                outcome.describe());
    }

    /** One line of the output begins with each of them. */
    protected static void assertPrinted(Outcome outcome, String... beginnings) {
        for (String each : beginnings) {
            assertEquals(1, outcome.out().stream().filter(line -> line.startsWith(each)).count(),
                    each + " in\n" + outcome.describe());
        }
    }

    /** Each rank of a probe says so. */
    protected static void assertAllocatesNothing(Class<?> probe, int ranks, String... arguments)
            throws Exception {
        Outcome outcome = launch(probe, ranks, arguments).run().good();
        assertEquals(ranks, outcome.out().stream().filter("allocated 0"::equals).count(),
                outcome.describe());
    }

    protected static String[] words(String options) {
        return options.isBlank() ? new String[0] : options.strip().split(" +");
    }
}
