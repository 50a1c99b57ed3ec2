// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.conformance.Launch;
import io.hayate.conformance.RankMain;
import io.hayate.conformance.ScaLapackProbe;
import io.hayate.conformance.Suite;
import io.hayate.conformance.TaskProbe;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The BLACS, and ScaLAPACK over them, on several numbers of ranks. */
class BlacsIT {
    private static Suite suite(String name, int ranks, String... options) {
        return new Suite(name, ranks, scenarios -> Launch.of(RankMain.class, scenarios)
                .options("--heap", "256M").options(options).jvm("-XX:+UseSerialGC"));
    }

    private static Suite blacs(int ranks) {
        return suite(ranks + " ranks", ranks).only("BlacsScenarios", "BlacsInputScenarios");
    }

    private static Suite scaLapack(int ranks) {
        return suite(ranks + " ranks, ScaLAPACK", ranks)
                .only("ScaLapackScenarios", "ScaLapackBlockScenarios",
                        "ScaLapackInputScenarios")
                .needing(ScaLapackProbe::need);
    }

    @TestFactory
    Stream<DynamicTest> exchange() {
        return Stream.of(1, 2, 4).map(BlacsIT::blacs).flatMap(Suite::tests);
    }

    /** JVMs as tasks of one address space. */
    @TestFactory
    Stream<DynamicTest> exchangeOfTasks() {
        return suite("3 tasks", 3, "--pvas").only("BlacsScenarios", "BlacsInputScenarios")
                .needing(TaskProbe::need).tests();
    }

    @TestFactory
    Stream<DynamicTest> linearAlgebraOfTasks() {
        return suite("2 tasks, ScaLAPACK", 2, "--pvas").only("ScaLapackScenarios").needing(() -> {
            TaskProbe.need();
            ScaLapackProbe.need();
        }).tests();
    }

    @TestFactory
    Stream<DynamicTest> linearAlgebra() {
        return Stream.of(1, 2, 4).map(BlacsIT::scaLapack).flatMap(Suite::tests);
    }
}
