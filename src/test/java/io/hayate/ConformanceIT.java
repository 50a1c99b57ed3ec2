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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs one suite with all protocols, ways to wait, and several numbers of ranks. On each JDK each
 * way of being a rank is tried, but protocols and numbers of ranks are what C sees.
 */
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

    @TestFactory
    Stream<DynamicTest> oneRank() {
        return processes(1, "auto", "adaptive", "-XX:+UseSerialGC").tests();
    }

    /** Two; more than cores; a number that is no power of two; one that is. */
    private static List<Suite> processes() {
        Suite eight = processes(8, "auto", "block", "-XX:+UseSerialGC");
        Suite[] suites = {processes(2, "auto", "adaptive", "-XX:+UseG1GC"),
            processes(2, "heap", "adaptive", "-XX:+UseSerialGC"),
            processes(3, "pipeline", "block", "-XX:+UseSerialGC"),
            processes(5, "cma", "adaptive", "-XX:+UseSerialGC"),
            processes(4, "auto", "block", "-XX:+UseSerialGC")};
        return Suite.sharing(Level.isLong()
                ? Stream.concat(Stream.of(suites), Stream.of(eight)).toArray(Suite[]::new)
                : suites);
    }

    @TestFactory
    Stream<DynamicTest> twoProcesses() {
        return processes().get(0).tests();
    }

    @Tag("once")
    @TestFactory
    Stream<DynamicTest> processesInOtherSettings() {
        List<Suite> all = processes();
        return Suite.tests(all.subList(1, all.size()));
    }

    /** JVMs as tasks of one address space. */
    private static List<Suite> tasks() {
        return Suite.sharing(tasks(2, "auto", "adaptive", "-XX:+UseG1GC"),
                tasks(3, "direct", "block", "-XX:+UseSerialGC"));
    }

    @TestFactory
    Stream<DynamicTest> twoTasks() {
        return tasks().get(0).tests();
    }

    @Tag("once")
    @TestFactory
    Stream<DynamicTest> threeTasks() {
        return tasks().get(1).tests();
    }

    /** Threads of one machine as ranks, which reach each other by loads and stores. */
    private static List<Suite> threads() {
        return Suite.sharing(threads(2, "auto"), threads(3, "pipeline"));
    }

    @TestFactory
    Stream<DynamicTest> twoThreads() {
        return threads().get(0).tests();
    }

    @Tag("once")
    @TestFactory
    Stream<DynamicTest> threeThreads() {
        return threads().get(1).tests();
    }
}
