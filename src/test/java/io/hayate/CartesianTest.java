// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Tests extents, coordinates, neighbours and parts of Cartesian grids. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CartesianTest {
    private static String refused(Executable call) {
        return assertThrows(ArgumentException.class, call).getMessage();
    }

    @Test
    void should_divide_ranks_into_dimensions_of_like_extent() {
        assertArrayEquals(new int[] {4, 3}, Cartesian.dims(12, 2));
        assertArrayEquals(new int[] {6, 4}, Cartesian.dims(24, 2));
        assertArrayEquals(new int[] {2, 2, 2}, Cartesian.dims(8, 3));
        assertArrayEquals(new int[] {5, 4, 3}, Cartesian.dims(60, 3));
        assertArrayEquals(new int[] {7, 1}, Cartesian.dims(7, 2));
        assertArrayEquals(new int[] {1, 1, 1}, Cartesian.dims(1, 3));
        assertArrayEquals(new int[] {5}, Cartesian.dims(5, 1));
        assertArrayEquals(new int[] {1024, 1024}, Cartesian.dims(1 << 20, 2));
    }

    @Test
    void should_have_no_largest_extent_that_is_smaller() {
        for (int size = 1; size <= 210; size++) {
            int[] found = Cartesian.dims(size, 3);
            assertEquals(size, found[0] * found[1] * found[2]);
            assertTrue(found[0] >= found[1] && found[1] >= found[2], Arrays.toString(found));
            for (int a = 1; a < found[0]; a++) {
                for (int b = 1; b <= a; b++) {
                    boolean better = size % (a * b) == 0 && size / (a * b) <= b;
                    assertFalse(better, size + ": " + Arrays.toString(found) + ", but " + a);
                }
            }
        }
    }

    @Test
    void should_choose_only_the_extents_that_are_free() {
        assertArrayEquals(new int[] {2, 3, 2}, Cartesian.dims(12, new int[] {2, 0, 0}));
        assertArrayEquals(new int[] {3, 4, 1}, Cartesian.dims(12, new int[] {3, 0, 1}));
        assertArrayEquals(new int[] {4, 3}, Cartesian.dims(12, new int[] {4, 3}));
        int[] wanted = {0, 6};
        Cartesian.dims(12, wanted);
        assertArrayEquals(new int[] {0, 6}, wanted);
    }

    @Test
    void should_refuse_extents_that_do_not_divide_the_ranks() {
        String text = "a grid of [5, 0] for 12 ranks: expected extents whose product is 12, or 0"
                + " for those that are to be chosen";
        assertEquals(text, refused(() -> Cartesian.dims(12, new int[] {5, 0})));
        refused(() -> Cartesian.dims(12, new int[] {4, 4}));
        refused(() -> Cartesian.dims(12, new int[] {-3, -4}));
        refused(() -> Cartesian.dims(12, new int[] {Integer.MAX_VALUE, 0}));
        refused(() -> Cartesian.dims(1, new int[] {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
            2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}));
        refused(() -> Cartesian.dims(12, new int[0]));
        refused(() -> Cartesian.dims(12, null));
        refused(() -> Cartesian.dims(0, 2));
        refused(() -> Cartesian.dims(4, 0));
        refused(() -> Cartesian.dims(4, -1));
    }

    @Test
    void should_know_coordinates_and_neighbours_of_each_rank() throws Exception {
        ThreadJob.run(6, (job, fmpl) -> {
            Cartesian grid = Cartesian.of(fmpl.world(), new int[] {2, 3}, false, true);
            int me = job.rank();
            int row = me / 3;
            int column = me % 3;
            assertArrayEquals(new int[] {row, column}, grid.coordinates());
            assertEquals(me, grid.rankAt(row, column));
            assertEquals(me, grid.rankAt(row, column - 30));
            assertEquals(Cartesian.NO_NEIGHBOR, grid.rankAt(2, column));
            assertEquals(row == 0 ? Cartesian.NO_NEIGHBOR : me - 3, grid.neighbor(0, -1));
            assertEquals(row == 1 ? Cartesian.NO_NEIGHBOR : me + 3, grid.neighbor(0, 1));
            assertEquals(row * 3 + (column + 1) % 3, grid.neighbor(1, 1));
            assertEquals(row * 3 + (column + 2) % 3, grid.neighbor(1, -1));
            assertEquals(me, grid.neighbor(1, 0));
            assertEquals(Cartesian.NO_NEIGHBOR, grid.neighbor(0, Integer.MAX_VALUE));
            assertEquals(row * 3 + (column + Integer.MAX_VALUE % 3) % 3,
                    grid.neighbor(1, Integer.MAX_VALUE));
            assertEquals("grid of 2 x 3p, this rank at [" + row + ", " + column + "]",
                    grid.toString());
            assertSame(fmpl.world(), grid.communicator());
            grid.close(); // does not close what it has not made
            fmpl.barrier();
        });
    }

    @Test
    void should_send_nothing_beyond_an_edge() throws Exception {
        ThreadJob.run(3, (job, fmpl) -> {
            Cartesian line = Cartesian.of(fmpl.world(), new int[] {3}, false);
            int[] mine = {job.rank()};
            int[] got = {-7};
            fmpl.sendrecv(Span.of(mine), line.neighbor(0, 1), 0,
                    Span.of(got), line.neighbor(0, -1), 0);
            assertEquals(job.rank() == 0 ? -7 : job.rank() - 1, got[0]);
        });
    }

    @Test
    void should_split_into_rows_and_columns() throws Exception {
        ThreadJob.run(6, (job, fmpl) -> {
            Cartesian grid = Cartesian.of(fmpl.world(), new int[] {0, 2}, true, false);
            int[] sum = {job.rank()};
            try (Cartesian row = grid.along(1); Cartesian column = grid.along(0)) {
                assertArrayEquals(new int[] {2}, row.extents());
                assertArrayEquals(new int[] {3}, column.extents());
                assertEquals(grid.coordinates()[0], column.rank());
                assertTrue(column.isPeriodic(0));
                assertFalse(row.isPeriodic(0));
                fmpl.allreduce(Span.of(sum), Reduction.INT_SUM, row.communicator());
                assertEquals(job.rank() / 2 * 4 + 1, sum[0]);
                int next = column.jobRank(column.neighbor(0, 1));
                assertEquals((job.rank() + 2) % 6, next);
                assertEquals(Cartesian.NO_NEIGHBOR, row.jobRank(row.neighbor(0, 2)));
                try (Cartesian one = column.along(0)) {
                    assertEquals(job.rank(), one.jobRank(one.rank()));
                }
            }
        });
    }

    @Test
    void should_refuse_what_does_not_fit() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            Communicator world = fmpl.world();
            refused(() -> Cartesian.of(null, new int[1]));
            refused(() -> Cartesian.of(world, null));
            refused(() -> Cartesian.of(world, new int[1], (boolean[]) null));
            refused(() -> Cartesian.of(world, new int[] {2}));
            refused(() -> Cartesian.of(world, new int[0]));
            assertEquals("periodic has 3 flags: expected one for each of the 2 dimensions",
                    refused(() -> Cartesian.of(world, new int[2], true, true, true)));
            refused(() -> Cartesian.of(fmpl.create(false), new int[1]));
            refused(() -> Cartesian.of(world, new int[2], true));
        }
    }

    @Test
    void should_refuse_dimensions_and_ranks_that_do_not_exist() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            Cartesian grid = Cartesian.of(fmpl.world(), new int[2]);
            assertEquals("dimension 2: expected 0 to 1", refused(() -> grid.neighbor(2, 1)));
            refused(() -> grid.neighbor(-1, 1));
            refused(() -> grid.extent(2));
            refused(() -> grid.coordinates(1));
            refused(() -> grid.rankAt(0));
            refused(() -> grid.rankAt((int[]) null));
            refused(() -> grid.jobRank(1));
            refused(() -> grid.jobRank(-1));
            refused(() -> grid.jobRank(-3));
            refused(() -> grid.along(1, 0));
            refused(() -> grid.along(1, 1));
            refused(() -> grid.along());
            refused(() -> grid.along((int[]) null));
        }
    }
}
