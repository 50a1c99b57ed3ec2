// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hayate.PvasTasks;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Level;
import io.hayate.conformance.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The public interface, called by chance. A failure names its seed: HAYATE_TEST_SEED={that} begins
 * with it, HAYATE_TEST_SECONDS={number} goes on for so long.
 */
class RandomIT {
    private static final Duration MARGIN = Duration.ofSeconds(300);
    /** Of calls by chance so many are refused that no more than one in this many gives a value. */
    private static final int FEW_VALUES = 8;

    private static Launch launch(Class<?> main, double share, String... more) {
        String seconds = Amount.seconds(share);
        String[] arguments = Stream.concat(Stream.of(Amount.seed(), seconds), Stream.of(more))
                .toArray(String[]::new);
        return Launch.of(main, arguments).jvm("-XX:+UseSerialGC")
                .limit(MARGIN.plusMillis((long) (Double.parseDouble(seconds) * 1000)));
    }

    /** Each rank survives, and of its calls one in so many at least gave a value. */
    private static void survive(Launch launch, int ranks, int oneIn) throws Exception {
        Outcome outcome = launch.run().good();
        outcome.out().stream().filter(line -> line.matches("(SURVIVED|ENDS) .*"))
                .forEach(System.out::println);
        assertEquals(ranks, outcome.out().stream().filter(line -> line.startsWith("SURVIVED "))
                .count(), outcome::describe);
        List<String> ends = outcome.out().stream().filter(line -> line.startsWith("ENDS "))
                .toList();
        assertEquals(ranks, ends.size(), outcome::describe);
        for (String each : ends) {
            long values = sum(each, "value");
            assertTrue(values > 0 && values * oneIn >= sum(each, "\\w+"), each);
        }
    }

    /** Of the counts in "{end=count, ..}" whose end matches. */
    private static long sum(String ends, String which) {
        return Pattern.compile("\\b" + which + "=(\\d+)").matcher(ends).results()
                .mapToLong(match -> Long.parseLong(match.group(1))).sum();
    }

    private static void surviveCalls(String table) throws Exception {
        survive(launch(RandomCallsMain.class, 0.1, table).ranks(0).environment("HAYATE_HEAP", "5G"),
                1, FEW_VALUES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FacadeCalls", "TaskCalls"})
    void should_survive_calls_by_chance(String table) throws Exception {
        surviveCalls(table);
    }

    @Test
    void should_survive_calls_of_address_spaces() throws Exception {
        PvasTasks.create().close();
        surviveCalls("PvasCalls");
    }

    @Test
    void should_survive_calls_of_tasks() throws Exception {
        PvasTasks.create().close();
        survive(launch(RandomCallsMain.class, 0.05, "SelfCalls").options("--pvas").ranks(2), 2,
                FEW_VALUES);
    }

    @Test
    void should_survive_calls_on_memory_above_two_gibibytes() throws Exception {
        assumeTrue(availableKb() > 1 << 20, "less than 1 GiB of memory is available");
        surviveCalls("LargeCalls");
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_22)
    void should_survive_calls_on_memory_segments() throws Exception {
        PvasTasks.create().close();
        surviveCalls("SegmentCalls");
    }

    private static long availableKb() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
            return lines.filter(line -> line.startsWith("MemAvailable:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", ""))).sum();
        }
    }

    static Stream<Arguments> pairs() {
        Stream<Arguments> usual = Stream.of(Arguments.of(2, "auto", "adaptive"),
                Arguments.of(3, "cma", "block"));
        Stream<Arguments> others = Stream.of(Arguments.of(2, "pipeline", "block"),
                Arguments.of(3, "heap", "adaptive"));
        return Level.isLong() ? Stream.concat(usual, others) : usual;
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void should_move_what_all_ranks_have_drawn_alike(int ranks, String rendezvous, String wait)
            throws Exception {
        survive(launch(PairedMain.class, Level.isLong() ? 0.08 : 0.16).ranks(ranks)
                .options("--heap", "64M").environment("HAYATE_RENDEZVOUS", rendezvous)
                .environment("HAYATE_WAIT", wait), ranks, 1);
    }

    private static void loseNothing(String cases, double share) throws Exception {
        survive(launch(ScarceHeapMain.class, share, cases).ranks(0)
                .environment("HAYATE_HEAP", "4M").jvm("-Xmx16m", "-XX:-UseTLAB"), 1, FEW_VALUES);
    }

    @Test
    void should_lose_nothing_when_the_java_heap_is_exhausted() throws Exception {
        loseNothing("ranks", 0.18);
    }

    @Test
    void should_lose_no_tasks_when_the_java_heap_is_exhausted() throws Exception {
        PvasTasks.create().close();
        loseNothing("tasks", 0.06);
    }
}
