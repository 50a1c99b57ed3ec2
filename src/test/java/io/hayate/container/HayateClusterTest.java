// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.hayate.testcontainers.HayateCluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What needs no engine. */
class HayateClusterTest {
    private final HayateCluster cluster = new HayateCluster("image");

    @Test
    void should_refuse_numbers_below_one() {
        assertEquals("the number of nodes is 0, expected at least 1", assertThrows(
                IllegalArgumentException.class, () -> cluster.withNodes(0)).getMessage());
        assertEquals("the number of ranks of a node is -1, expected at least 1", assertThrows(
                IllegalArgumentException.class, () -> cluster.withRanks(-1)).getMessage());
        assertEquals("the limit is 0.5 s, expected at least 1 s", assertThrows(
                IllegalArgumentException.class,
                () -> cluster.withLimit(Duration.ofMillis(500))).getMessage());
    }

    @Test
    void should_say_that_it_is_not_started_and_which_nodes_there_are() {
        assertEquals("the cluster is not started: call start() first", assertThrows(
                IllegalStateException.class, () -> cluster.run(getClass())).getMessage());
        assertEquals(6, cluster.withNodes(3).ranks());
        cluster.close();
    }
}
