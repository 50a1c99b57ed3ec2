// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.TaskProbe;
import io.hayate.examples.ExampleSuite;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs a benchmark as users start it: what is asked of each, and what each asks for itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class NasSuite extends ExampleSuite {
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

    /** What class S comes to, a pattern, and on how many ranks that is tried. */
    record Official(String detail, int... ranks) {
    }

    /** Class W, and its size. */
    record Larger(int ranks, int repetitions, String size) {
    }

    private final Class<? extends Benchmark> benchmark;
    private final Ranks allowed;
    private final Official official;
    private final Larger larger;
    private final List<String> memories;

    /** {@code memories}: ranks and options, which differ in memory and collectives. */
    NasSuite(Class<? extends Benchmark> benchmark, Ranks allowed, Official official, Larger larger,
            String... memories) {
        this.benchmark = benchmark;
        this.allowed = allowed;
        this.official = official;
        this.larger = larger;
        this.memories = List.of(memories);
    }

    IntStream officialRanks() {
        return IntStream.of(official.ranks);
    }

    Stream<Arguments> memories() {
        return memories.stream().map(each -> each.split(" ", 2))
                .map(words -> Arguments.of(Integer.valueOf(words[0]), words[1]));
    }

    @ParameterizedTest
    @MethodSource("officialRanks")
    void should_come_to_the_official_result(int ranks) throws Exception {
        JsonObject run = verified(ranks, "--class S");
        String detail = run.get("detail").getAsString();
        assertTrue(detail.matches("(?s)" + official.detail), detail);
        assertOfficial(run);
    }

    /** More of what class S comes to. */
    void assertOfficial(JsonObject run) {
        // nothing
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("memories")
    void should_do_so_whatever_the_memory_and_the_collectives(int ranks, String options)
            throws Exception {
        verified(ranks, options);
    }

    @Tag("long")
    @Test
    void should_do_so_for_a_larger_class_again_and_again() throws Exception {
        JsonObject run = verified(larger.ranks, "--class W --repetitions " + larger.repetitions);
        assertEquals(larger.repetitions, run.get("times").getAsJsonArray().size());
        assertEquals(larger.size, run.get("size").getAsString());
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void should_find_what_is_wrong(int ranks) throws Exception {
        assertDamaged(damaged(ranks, "--class S"));
    }

    /** What a verification says that finds an error. */
    void assertDamaged(JsonObject run) {
        // nothing
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

    @ParameterizedTest
    @ValueSource(strings = {"few", "many"})
    void should_come_to_the_official_result_over_mpi(String word) throws Exception {
        int ranks = allowed.number(word);
        String name = benchmark.getSimpleName().toUpperCase(Locale.ROOT);
        JsonObject run = verified(launch(OverMpi.class, ranks,
                words(name + " --json --memory direct")), ranks);
        String detail = run.get("detail").getAsString();
        assertTrue(detail.matches("(?s)" + official.detail), detail);
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
        assertAllocatesNothing(NasAllocationProbe.class, ranks,
                words(name + " " + (options == null ? "" : options)));
    }

    /** Options are separated by blanks. */
    final Launch launch(int ranks, String options) {
        return launch(benchmark, ranks, words(options));
    }

    /** Ranks as tasks of one address space. */
    final Launch tasks(int ranks, String options) {
        TaskProbe.need();
        return launch(ranks, options).options("--pvas");
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
        JsonObject json = json(outcome);
        assertFalse(json.get("verified").getAsBoolean(), outcome.describe());
        assertSaid(outcome, 1, "verification failed");
        return json;
    }

    /** Once, and why. */
    final Outcome refused(int ranks, String options, String words) throws Exception {
        Outcome outcome = launch(ranks, options).run();
        assertSaid(outcome, 2, words);
        return outcome;
    }
}
