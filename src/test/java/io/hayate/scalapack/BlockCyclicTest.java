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
    void should_deal_out_rows_and_columns_block_by_block() {
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
            BlockCyclic layout = new BlockCyclic(grid, count, count, block, block, source, source);
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

    /** Compares every index of every block of a matrix with that of the matrix. */
    @Test
    void should_leave_the_elements_of_a_block_where_they_are() {
        for (int processes = 1; processes <= 3; processes++) {
            for (int me = 0; me < processes; me++) {
                Grid grid = new PlainGrid(processes, processes, me, processes - 1 - me);
                BlockCyclic whole = new BlockCyclic(grid, 14, 13, 4, 3, processes - 1, 0);
                for (int first = 0; first < 13; first++) {
                    for (int count = 1; count <= 13 - first; count++) {
                        compare(whole, first, count);
                    }
                }
            }
        }
    }

    private static void compare(BlockCyclic whole, int first, int count) {
        BlockCyclic block = whole.block(first, first, count, count);
        int rows = 0;
        int columns = 0;
        for (int i = 0; i < count; i++) {
            assertEquals(whole.ownerRow(first + i), block.ownerRow(i));
            assertEquals(whole.ownerColumn(first + i), block.ownerColumn(i));
            if (block.ownerRow(i) == block.grid().row()) {
                assertEquals(rows, block.localRow(i), block.toString());
                assertEquals(i, block.globalRow(rows++), block.toString());
            }
            if (block.ownerColumn(i) == block.grid().column()) {
                assertEquals(columns, block.localColumn(i), block.toString());
                assertEquals(i, block.globalColumn(columns++), block.toString());
            }
        }
        assertEquals(rows, block.localRows(), block.toString());
        assertEquals(columns, block.localColumns(), block.toString());
        if (count > 2) {
            assertEquals(whole.block(first + 1, first + 2, 1, 1), block.block(1, 2, 1, 1));
        }
    }

    @Test
    void should_describe_itself_as_sca_lapack_wants() {
        BlockCyclic layout = new BlockCyclic(new PlainGrid(2, 3, 1, 2), 10, 20, 4, 5, 1, 2);
        assertArrayEquals(new int[] {1, 7, 10, 20, 4, 5, 1, 2, 6}, layout.descriptor(6));
        assertEquals(5, layout.localColumns() / 2);
        assertEquals("10 x 20 in blocks of 4 x 5 on 2 x 3 processes from (1, 2)",
                layout.toString());
        BlockCyclic block = layout.block(5, 9, 3, 7);
        assertArrayEquals(new int[] {1, 7, 4, 11, 4, 5, 0, 0, 6}, block.descriptor(6));
        assertEquals("3 x 7 in blocks of 4 x 5 on 2 x 3 processes from (0, 0), which begins at"
                + " (1, 4) of its first block", block.toString());
    }

    @Test
    void should_store_nothing_outside_of_the_grid() {
        BlockCyclic layout = BlockCyclic.of(new PlainGrid(2, 2, -1, -1), 4, 4, 2);
        assertEquals(0, layout.localRows());
        assertEquals(0, layout.localColumns());
        assertEquals(-1, layout.descriptor(1)[1]);
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
    void should_refuse_what_is_no_layout() {
        Grid grid = new PlainGrid(2, 2, 0, 0);
        refused("grid is null", () -> BlockCyclic.of(null, 1, 1, 1));
        refused("-3 rows", () -> BlockCyclic.of(grid, -3, 1, 1));
        refused("0 columns", () -> BlockCyclic.of(grid, 1, 0, 1));
        refused("0 rows of a block", () -> BlockCyclic.of(grid, 1, 1, 0));
        refused("row 2 of the processes: the grid has rows 0 to 1",
                () -> new BlockCyclic(grid, 9, 9, 2, 2, 2, 0));
        refused("column -1 of the processes", () -> new BlockCyclic(grid, 9, 9, 2, 2, 0, -1));
        refused("begins at row 2 of its first block: expected 0 to 1",
                () -> new BlockCyclic(grid, 9, 9, 2, 2, 0, 0, 2, 0));
        refused("begins at column -1", () -> new BlockCyclic(grid, 9, 9, 2, 2, 0, 0, 0, -1));
        refused("a block of 2 rows from row 4 on",
                () -> BlockCyclic.of(grid, 5, 5, 2).block(4, 0, 2, 1));
        refused("use more processes", () -> BlockCyclic.of(grid, 100_000, 100_000, 64));
        BlockCyclic layout = BlockCyclic.of(grid, 5, 6, 2);
        refused("row 5: expected 0 to 4", () -> layout.ownerRow(5));
        refused("column -1: expected 0 to 5", () -> layout.localColumn(-1));
        refused("local row 3: expected 0 to 2", () -> layout.globalRow(3));
    }

    @Test
    void should_address_the_largest_parts_without_overflow() {
        BlockCyclic layout = BlockCyclic.of(new PlainGrid(2, 2, 1, 1), 92_000, 92_000, 64);
        assertEquals(91_999, layout.globalRow(layout.localRows() - 1));
        assertEquals(layout.localRows() - 1, layout.localRow(91_999));
    }
}
