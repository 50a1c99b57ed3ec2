// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShareTest {
    private static final int CASES = 1000;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 12})
    void should_give_every_case_to_one_job(int jobs) {
        int[] taken = new int[CASES];
        for (int job = 0; job < jobs; job++) {
            Share share = Share.of(job + "/" + jobs);
            int of = 0;
            for (int each = 0; each < CASES; each++) {
                if (share.takesNext()) {
                    taken[each]++;
                    of++;
                }
            }
            assertTrue(of > CASES / jobs / 2, "job " + job + " has " + of);
        }
        for (int each = 0; each < CASES; each++) {
            assertEquals(1, taken[each], "case " + each);
        }
    }

    /** Loops over three sizes: a job has to meet all of them. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8, 12})
    void should_give_cases_of_every_phase_of_a_loop_to_each_job(int jobs) {
        for (int job = 0; job < jobs; job++) {
            Share share = Share.of(job + "/" + jobs);
            int[] met = new int[3];
            for (int each = 0; each < CASES; each++) {
                met[each % 3] += share.takesNext() ? 1 : 0;
            }
            for (int phase = 0; phase < 3; phase++) {
                assertTrue(met[phase] > 0, "job " + job + " never meets phase " + phase);
            }
        }
    }
}
