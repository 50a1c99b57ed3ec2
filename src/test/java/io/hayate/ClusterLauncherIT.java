// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.cli.Main;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.RankMain;
import io.hayate.conformance.Suite;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Ranks that the launchers of Open MPI and MPICH start. */
class ClusterLauncherIT {
    private static final String[] OPEN_MPI =
            {"mpirun", "--allow-run-as-root", "--oversubscribe"};
    private static final String[] MPICH = {"mpiexec.hydra"};

    private static void need(String probe) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", probe).start();
        assumeTrue(process.waitFor() == 0, "not there: " + probe);
    }

    private static void needOpenMpi() throws Exception {
        need("mpirun --version | grep -q 'Open MPI' && ldconfig -p | grep -q libpmix.so.2");
    }

    private static void needMpich() throws Exception {
        need("command -v mpiexec.hydra");
    }

    private static Stream<DynamicTest> suite(int ranks, String... launcher) {
        return new Suite(ranks + " ranks by " + launcher[0], ranks,
                scenarios -> Launch.of(RankMain.class, scenarios).by(launcher)
                        .environment(Map.of("HAYATE_HEAP", "4G")).jvm("-XX:+UseSerialGC")
                        .limit(Duration.ofSeconds(240))).tests();
    }

    @TestFactory
    Stream<DynamicTest> openMpi() throws Exception {
        needOpenMpi();
        return suite(4, OPEN_MPI);
    }

    @TestFactory
    Stream<DynamicTest> mpich() throws Exception {
        needMpich();
        return suite(2, MPICH);
    }

    private static void tellsLauncher(String name, String... launcher) throws Exception {
        Outcome outcome = Launch.of(Main.class, "info", "--json").by(launcher).ranks(2)
                .unchecked().run().good();
        assertEquals(2, outcome.out().size(), outcome.describe());
        for (String line : outcome.out()) {
            JsonObject job = JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("job");
            assertEquals(name, job.get("launcher").getAsString());
        }
    }

    @Test
    void shouldTellThatOpenMpiStartedIt() throws Exception {
        needOpenMpi();
        tellsLauncher("pmix", OPEN_MPI);
    }

    @Test
    void shouldTellThatMpichStartedIt() throws Exception {
        needMpich();
        tellsLauncher("pmi1", MPICH);
    }
}
