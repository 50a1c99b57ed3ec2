// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("example")
class SlabsTest {
    @ParameterizedTest
    @CsvSource({"8,1,1", "8,2,1", "8,2,4", "16,4,2", "16,4,4", "16,16,1"})
    void should_have_a_place_for_each_number_both_ways(int points, int ranks, int batches) {
        Slabs slabs = new Slabs(points, ranks, batches);
        BitSet pencils = new BitSet();
        BitSet planes = new BitSet();
        for (int peer = 0; peer < ranks; peer++) {
            for (int x = 0; x < points; x++) {
                for (int y = 0; y < slabs.thickness(); y++) {
                    for (int z = 0; z < slabs.thickness(); z++) {
                        int batch = z / slabs.batchPlanes();
                        pencils.set(slabs.toPencils(batch, peer, x, y) / 2
                                + z % slabs.batchPlanes());
                        planes.set(slabs.toPlanes(x, peer, z) / 2 + y);
                    }
                }
            }
        }
        int all = (int) (slabs.bytes() / Double.BYTES / 2);
        assertEquals(all, pencils.cardinality());
        assertEquals(all, pencils.length());
        assertEquals(all, planes.cardinality());
        assertEquals(all, planes.length());
    }

    @ParameterizedTest
    @CsvSource({"8,2,4", "16,4,2"})
    void should_keep_a_batch_and_a_peer_together(int points, int ranks, int batches) {
        Slabs slabs = new Slabs(points, ranks, batches);
        int block = (int) (slabs.batchBytes() / ranks / Double.BYTES);
        for (int batch = 0; batch < batches; batch++) {
            for (int peer = 0; peer < ranks; peer++) {
                int expected = (batch * ranks + peer) * block;
                assertEquals(expected, slabs.toPencils(batch, peer, 0, 0));
                assertEquals(expected, slabs.toPlanes(batch * slabs.batchWidth(), peer, 0));
            }
        }
    }
}
