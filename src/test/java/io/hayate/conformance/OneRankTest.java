// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.OneRank;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scenarios of invalid calls and of communicators: {@code --quick} runs no others. */
class OneRankTest extends OneRank {
    static Stream<String> scenarios() {
        String[] names = {"ArgumentScenarios", "CommunicatorScenarios",
            "PersistentBadInputScenarios",
            "MemoryScenarios.should_refuse_to_give_back_memory_in_use"};
        return Scenarios.named(names, 1).stream();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void should_do_as_ranks_of_a_job_do(String scenario) throws Throwable {
        Scenarios.run(scenario, new Rank(job, fmpl));
    }
}
