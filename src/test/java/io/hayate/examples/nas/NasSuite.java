// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.TaskProbe;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs a benchmark as users start it: what is asked of each, and what each asks for itself. */
@Tag("example")
abstract class NasSuite {
    /** Two numbers of ranks that a benchmark is run on, one that it refuses, and why. */
    record Ranks(int few, int many, int wrong, String expected) {
        static final Ranks POWER_OF_TWO = new Ranks(2, 4, 3, "a power of two");
        static final Ranks SQUARE = new Ranks(1, 4, 2, "a square number");

        int number(String word) {
            return switch (word) {
                case "one" -> 1;
                case "few" -> few;
                case "many" -> many;
                default -> throw new IllegalArgumentException(word);
            };
        }
    }

    private final Class<? extends Benchmark> benchmark;
    private final Ranks allowed;

    NasSuite(Class<? extends Benchmark> benchmark, Ranks allowed) {
        this.benchmark = benchmark;
        this.allowed = allowed;
    }

    @BeforeAll
    static void needsTheLauncher() {
        Launch.assumeBuilt();
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"heap", "cma", "pipeline"})
    void should_verify_whichever_way_long_messages_go(String rendezvous) throws Exception {
        verified(launch(allowed.many, "--json --memory direct")
                .environment("HAYATE_RENDEZVOUS", rendezvous)
                .environment("HAYATE_EAGER_LIMIT", "56"), allowed.many);
    }

    @ParameterizedTest
    @CsvSource({"few,--memory direct", "many,--memory heap --persistent"})
    void should_verify_as_tasks_of_one_address_space(String word, String options) throws Exception {
        int ranks = allowed.number(word);
        verified(tasks(ranks, "--json " + options).environment("HAYATE_RENDEZVOUS", "direct"),
                ranks);
    }

    @Test
    void should_verify_with_ranks_as_threads() throws Exception {
        verified(launch(0, "--json --memory direct --threads 4"), 4);
    }

    @Test
    void should_name_the_ranks_that_fit() throws Exception {
        refused(allowed.wrong, "", allowed.wrong + " ranks: expected " + allowed.expected);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"one,", "many,", "few,--persistent", "many,--memory array"})
    void should_allocate_nothing_in_what_is_timed(String word, String options) throws Exception {
        int ranks = allowed.number(word);
        String name = benchmark.getSimpleName().toUpperCase(Locale.ROOT);
        Outcome outcome = Launch.of(NasAllocationProbe.class,
                words(name + " " + (options == null ? "" : options))).ranks(ranks).unchecked()
                .run().good();
        assertEquals(ranks, outcome.out().stream().filter("allocated 0"::equals).count(),
                outcome.describe());
    }

    /** Options are separated by blanks. */
    final Launch launch(int ranks, String options) {
        return Launch.of(benchmark, words(options)).ranks(ranks).unchecked();
    }

    /** Ranks as tasks of one address space. */
    final Launch tasks(int ranks, String options) {
        TaskProbe.need();
        return launch(ranks, options).options("--pvas");
    }

    private static String[] words(String options) {
        return Stream.of(options.split(" ")).filter(word -> !word.isEmpty()).toArray(String[]::new);
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

    final JsonObject verified(int ranks, String options) throws Exception {
        return verified(launch(ranks, "--json " + options), ranks);
    }

    /** The verification has to find the error that is planted. */
    final JsonObject damaged(int ranks, String options) throws Exception {
        Outcome outcome = launch(ranks, "--json --damage " + options).run();
        assertEquals(1, outcome.exit(), outcome.describe());
        JsonObject json = json(outcome);
        assertFalse(json.get("verified").getAsBoolean(), outcome.describe());
        assertEquals(1, said(outcome, "verification failed"), outcome.describe());
        return json;
    }

    /** Once, and why. */
    final Outcome refused(int ranks, String options, String words) throws Exception {
        Outcome outcome = launch(ranks, options).run();
        assertEquals(2, outcome.exit(), outcome.describe());
        assertEquals(1, said(outcome, words), outcome.describe());
        return outcome;
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
