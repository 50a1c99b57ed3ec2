// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.cli.Main;
import io.hayate.conformance.ClusterLauncher;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import io.hayate.conformance.RankMain;
import io.hayate.conformance.Suite;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks on one node that the launchers of Open MPI, MPICH and Slurm start. */
@Tag("cluster")
class ClusterLauncherIT {
    /**
     * How ranks are started makes no path: of the largest scenarios a part will do, and calls need
     * not be checked again.
     */
    private static Stream<DynamicTest> suite(int ranks, ClusterLauncher by, int part)
            throws Exception {
        String[] launcher = by.needed().here();
        return new Suite(ranks + " ranks by " + by, ranks,
                scenarios -> Launch.of(RankMain.class, scenarios).by(launcher)
                        .environment(Map.of("HAYATE_HEAP", "4G")).unchecked()
                        .limit(Duration.ofSeconds(480))).part(part)
                .tests();
    }

    @TestFactory
    Stream<DynamicTest> openMpi() throws Exception {
        return suite(4, ClusterLauncher.OPEN_MPI, 0);
    }

    @TestFactory
    Stream<DynamicTest> mpich() throws Exception {
        return suite(2, ClusterLauncher.HYDRA, 1);
    }

    @ParameterizedTest(name = "should_tell_that {0} startedIt")
    @CsvSource({"OPEN_MPI, pmix", "HYDRA, pmi1", "SLURM, pmix"})
    void should_tell_who_started_it(ClusterLauncher by, String name) throws Exception {
        Outcome outcome = Launch.of(Main.class, "info", "--json").by(by.needed().here()).ranks(2)
                .unchecked().run().good();
        assertEquals(2, outcome.out().size(), outcome.describe());
        for (String line : outcome.out()) {
            JsonObject job = JsonParser.parseString(line).getAsJsonObject().getAsJsonObject("job");
            assertEquals(name, job.get("launcher").getAsString());
        }
    }
}
