// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.ArgumentException;
import io.hayate.Grid;
import org.junit.jupiter.api.Test;

class BlockCyclicTest {
    /** Deals out block after block, and compares every index. */
    @Test
    void shouldDealOutRowsAndColumnsBlockByBlock() {
        for (int processes = 1; processes <= 4; processes++) {
            for (int block = 1; block <= 5; block++) {
                for (int source = 0; source < processes; source++) {
                    for (int count = 1; count <= 23; count++) {
                        compare(count, block, source, processes);
                    }
                }
            }
        }
    }

    private static void compare(int count, int block, int source, int processes) {
        int[] stored = new int[processes];
        for (int i = 0; i < count; i++) {
            int owner = (source + i / block) % processes;
            Grid grid = new PlainGrid(processes, processes, owner, owner);
            BlockCyclic layout =
                    new BlockCyclic(grid, count, count, block, block, source, source);
            assertEquals(owner, layout.ownerRow(i));
            assertEquals(owner, layout.ownerColumn(i));
            assertTrue(layout.isLocal(i, i));
            assertEquals(stored[owner], layout.localRow(i), layout.toString());
            assertEquals(stored[owner], layout.localColumn(i));
            assertEquals(i, layout.globalRow(stored[owner]), layout.toString());
            assertEquals(i, layout.globalColumn(stored[owner]));
            stored[owner]++;
        }
        for (int process = 0; process < processes; process++) {
            assertEquals(stored[process],
                    BlockCyclic.numroc(count, block, process, source, processes));
        }
    }

    @Test
    void shouldDescribeItselfAsScaLapackWants() {
        BlockCyclic layout = new BlockCyclic(new PlainGrid(2, 3, 1, 2), 10, 20, 4, 5, 1, 2);
        assertArrayEquals(new int[] {1, 7, 10, 20, 4, 5, 1, 2, 6}, layout.descriptor());
        assertEquals(5, layout.localColumns() / 2);
        assertEquals("10 x 20 in blocks of 4 x 5 on 2 x 3 processes from (1, 2)",
                layout.toString());
    }

    /** A process without elements has a leading dimension nevertheless. */
    @Test
    void shouldKeepALeadingDimensionWithoutRows() {
        BlockCyclic layout = BlockCyclic.of(new PlainGrid(3, 1, 2, 0), 4, 4, 2);
        assertEquals(0, layout.localRows());
        assertEquals(1, layout.descriptor()[8]);
    }

    @Test
    void shouldStoreNothingOutsideOfTheGrid() {
        BlockCyclic layout = BlockCyclic.of(new PlainGrid(2, 2, -1, -1), 4, 4, 2);
        assertEquals(0, layout.localRows());
        assertEquals(0, layout.localColumns());
        assertEquals(-1, layout.descriptor()[1]);
    }

    private static void refused(String words, Executable action) {
        String reason = assertThrows(ArgumentException.class, action::execute).reason();
        assertTrue(reason.contains(words), reason);
    }

    /** An action that is expected to fail. */
    private interface Executable {
        void execute();
    }

    @Test
    void shouldRefuseWhatIsNoLayout() {
        Grid grid = new PlainGrid(2, 2, 0, 0);
        refused("grid is null", () -> BlockCyclic.of(null, 1, 1, 1));
        refused("-3 rows", () -> BlockCyclic.of(grid, -3, 1, 1));
        refused("0 columns", () -> BlockCyclic.of(grid, 1, 0, 1));
        refused("0 rows of a block", () -> BlockCyclic.of(grid, 1, 1, 0));
        refused("row 2 of the processes: the grid has rows 0 to 1",
                () -> new BlockCyclic(grid, 9, 9, 2, 2, 2, 0));
        refused("column -1 of the processes", () -> new BlockCyclic(grid, 9, 9, 2, 2, 0, -1));
        refused("use more processes", () -> BlockCyclic.of(grid, 100_000, 100_000, 64));
        BlockCyclic layout = BlockCyclic.of(grid, 5, 6, 2);
        refused("row 5: expected 0 to 4", () -> layout.ownerRow(5));
        refused("column -1: expected 0 to 5", () -> layout.localColumn(-1));
        refused("local row 3: expected 0 to 2", () -> layout.globalRow(3));
    }

    @Test
    void shouldAddressTheLargestPartsWithoutOverflow() {
        BlockCyclic layout = BlockCyclic.of(new PlainGrid(2, 2, 1, 1), 92_000, 92_000, 64);
        assertEquals(91_999, layout.globalRow(layout.localRows() - 1));
        assertEquals(layout.localRows() - 1, layout.localRow(91_999));
    }
}
