// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.conformance.Launch;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledForJreRange(min = JRE.JAVA_22)
class ArenaIT {
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void should_refuse_buffers_whose_arena_is_closed(int ranks) throws Exception {
        Launch.of(ArenaProgram.class).ranks(ranks).run().good();
    }
}
