// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.conformance.Launch;
import io.hayate.conformance.Level;
import io.hayate.conformance.RankMain;
import io.hayate.conformance.Suite;
import io.hayate.conformance.TaskProbe;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs one suite with all protocols, ways to wait, and several numbers of ranks. */
class ConformanceIT {
    private static Suite processes(int ranks, String rendezvous, String wait, String jvm) {
        String name = ranks + (ranks == 1 ? " rank, " : " ranks, ") + rendezvous
                + (wait.equals("block") ? ", block" : "");
        return suite(name, ranks, rendezvous, wait, List.of(), jvm);
    }

    private static Suite tasks(int ranks, String rendezvous, String wait, String jvm) {
        return suite(ranks + " tasks, " + rendezvous, ranks, rendezvous, wait, List.of("--pvas"),
                jvm).needing(TaskProbe::need);
    }

    private static Suite suite(String name, int ranks, String rendezvous, String wait,
            List<String> options, String jvm) {
        Map<String, String> environment =
                Map.of("HAYATE_RENDEZVOUS", rendezvous, "HAYATE_WAIT", wait);
        return new Suite(name, ranks, scenarios -> Launch.of(RankMain.class, scenarios)
                .options("--heap", "4G", "--grace", "1").options(options.toArray(String[]::new))
                .environment(environment).jvm(jvm).limit(Duration.ofSeconds(480)));
    }

    private static Suite threads(int ranks, String rendezvous) {
        return new Suite(ranks + " threads, " + rendezvous, ranks,
                scenarios -> Launch.of(RankMain.class, scenarios).asThreads()
                        .environment("HAYATE_RENDEZVOUS", rendezvous)
                        .environment("HAYATE_HEAP", "4G").jvm("-Xmx1g", "-XX:+UseSerialGC")
                        .limit(Duration.ofSeconds(480)));
    }

    /** The others where tests may take long. */
    private static Stream<DynamicTest> sharing(Stream<Suite> usual, Stream<Suite> others) {
        return Suite.sharing(Stream.concat(usual, Level.isLong() ? others : Stream.empty())
                .toArray(Suite[]::new));
    }

    @TestFactory
    Stream<DynamicTest> oneRank() {
        return processes(1, "auto", "adaptive", "-XX:+UseSerialGC").tests();
    }

    /** Two; more than cores; a number that is no power of two; one that is. */
    @TestFactory
    Stream<DynamicTest> processes() {
        Stream<Suite> usual = Stream.of(processes(2, "auto", "adaptive", "-XX:+UseG1GC"),
                processes(2, "heap", "adaptive", "-XX:+UseSerialGC"),
                processes(3, "pipeline", "block", "-XX:+UseSerialGC"),
                processes(5, "cma", "adaptive", "-XX:+UseSerialGC"),
                processes(4, "auto", "block", "-XX:+UseSerialGC"));
        Stream<Suite> others = Stream.of(processes(8, "auto", "block", "-XX:+UseSerialGC"),
                processes(2, "pipeline", "adaptive", "-XX:+UseSerialGC"),
                processes(2, "cma", "block", "-XX:+UseSerialGC"),
                processes(4, "auto", "adaptive", "-XX:+UseSerialGC"));
        return sharing(usual, others);
    }

    /** JVMs as tasks of one address space. */
    @TestFactory
    Stream<DynamicTest> tasks() {
        return sharing(Stream.of(tasks(2, "auto", "adaptive", "-XX:+UseG1GC"),
                tasks(3, "direct", "block", "-XX:+UseSerialGC")),
                Stream.of(tasks(2, "cma", "adaptive", "-XX:+UseSerialGC")));
    }

    /** Threads of one machine as ranks, which reach each other by loads and stores. */
    @TestFactory
    Stream<DynamicTest> threads() {
        return sharing(Stream.of(threads(2, "auto"), threads(3, "pipeline")),
                Stream.of(threads(4, "direct")));
    }
}
