// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.examples.nas.IsProblem.TestKey;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("example")
class IsRanksTest {
    @Test
    void should_count_smaller_keys_of_its_range() {
        int[] keys = new Random(3).ints(1000, 50, 80).toArray();
        IsRanks ranks = new IsRanks(100);
        for (int again = 0; again < 2; again++) {
            ranks.count(ints(keys), keys.length, 48, 80);
            for (int key = 48; key < 80; key++) {
                int wanted = key;
                assertTrue(ranks.covers(key));
                assertEquals(Arrays.stream(keys).filter(each -> each < wanted).count(),
                        ranks.smallerThan(key));
            }
            assertFalse(ranks.covers(47));
            assertFalse(ranks.covers(80));
        }
    }

    @Test
    void should_sort_the_first_of_the_keys() {
        int[] keys = {7, 5, 9, 5, 6, 0, 0};
        IsRanks ranks = new IsRanks(16);
        ranks.count(ints(keys), 5, 4, 12);
        assertArrayEquals(new int[] {5, 5, 6, 7, 9}, ranks.sorted(ints(keys), 5));
    }

    @ParameterizedTest
    @EnumSource(ProblemClass.class)
    void should_know_test_keys_that_there_are(ProblemClass problem) {
        IsProblem sizes = IsProblem.of(problem);
        assertEquals(sizes.keyLimit(), sizes.buckets() << sizes.bucketShift());
        for (TestKey key : sizes.testKeys()) {
            assertTrue(key.index() < sizes.keys());
            for (int iteration = 1; iteration <= IsProblem.ITERATIONS; iteration++) {
                int rank = key.rankIn(iteration);
                assertTrue(rank >= 0 && rank < sizes.keys());
            }
        }
    }

    private static Ints ints(int... values) {
        return new Ints(IntBuffer.wrap(values), null);
    }
}
