// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.OneRank;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scenarios of invalid calls, in this JVM: {@code --quick} runs no others. */
class OneRankTest extends OneRank {
    static Stream<String> scenarios() {
        String[] classes = {"ArgumentScenarios", "PersistentBadInputScenarios"};
        return Scenarios.named(classes, 1).stream();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void should_do_as_ranks_of_a_job_do(String scenario) throws Throwable {
        Scenarios.run(scenario, new Rank(job, fmpl));
    }
}
