// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SetupMessagesTest {
    @Test
    void should_keep_apart_what_is_under_way_at_the_same_time() {
        Set<Integer> tags = new HashSet<>();
        int count = 0;
        for (int i = 0; i < 100; i++) {
            tags.add(SetupMessages.tagOfGroup(i));
            tags.add(SetupMessages.tagOfLeaders(i));
            for (long rank = 0; rank < 10; rank++) {
                tags.add(SetupMessages.tagOfDuplication(rank << Integer.SIZE | 7, i));
            }
            count += 12;
        }
        assertEquals(count, tags.size());
    }

    @Test
    void should_have_no_tag_that_means_any() {
        for (int tag : new int[] {0, 1, 1 << 30, Integer.MAX_VALUE}) {
            assertTrue(SetupMessages.tagOfGroup(tag) >= 0);
            assertTrue(SetupMessages.tagOfLeaders(tag) >= 0);
            assertTrue(SetupMessages.tagOfDuplication(-1L << tag % 64, tag) >= 0);
        }
    }
}
