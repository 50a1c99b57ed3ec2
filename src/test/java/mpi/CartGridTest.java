// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the arithmetic of Cartesian topologies. */
class CartGridTest {
    private static final int NONE = Constants.PROC_NULL;

    /** Ranks 0 1 2 3 / 4 5 6 7 / 8 9 10 11; the columns are rings. */
    private static CartGrid grid() {
        return new CartGrid(new int[] {3, 4}, new boolean[] {true, false});
    }

    private static CartGrid line(int extent, boolean ring) {
        return new CartGrid(new int[] {extent}, new boolean[] {ring});
    }

    @Test
    void should_translate_ranks_and_coordinates() {
        CartGrid grid = grid();
        assertEquals(12, grid.size());
        assertEquals(2, grid.dimensions());
        assertArrayEquals(new int[] {1, 2}, grid.coords(6));
        for (int rank = 0; rank < 12; rank++) {
            assertEquals(rank, grid.rank(grid.coords(rank)));
        }
        assertEquals(9, grid.rank(new int[] {-1, 1}));
        assertEquals(1, grid.rank(new int[] {6, 1}));
        Refused.with(ErrorClass.ARG, () -> grid.rank(new int[] {0, 4}));
        Refused.with(ErrorClass.ARG, () -> grid.rank(new int[] {0, -1}));
        Refused.with(ErrorClass.ARG, () -> grid.rank(new int[] {0}));
        Refused.with(ErrorClass.ARG, () -> grid.rank(null));
        Refused.with(ErrorClass.RANK, () -> grid.coords(12));
        Refused.with(ErrorClass.RANK, () -> grid.coords(-1));
    }

    @Test
    void should_describe_itself() {
        CartParms parms = grid().parms(6);
        assertEquals(2, parms.getDimCount());
        assertEquals(4, parms.getDim(1));
        assertTrue(parms.getPeriod(0));
        assertFalse(parms.getPeriod(1));
        assertEquals(2, parms.getCoord(1));
        assertArrayEquals(new int[] {1, 2}, parms.coords);
        Refused.with(ErrorClass.ARG, () -> parms.getDim(2));
        Refused.with(ErrorClass.ARG, () -> parms.getPeriod(-1));
        Refused.with(ErrorClass.ARG, () -> parms.getCoord(2));
    }

    private static void assertShift(ShiftParms shift, int source, int dest) {
        assertEquals(source, shift.getRankSource());
        assertEquals(dest, shift.rank_dest);
        assertEquals(shift.rank_source, shift.getRankSource());
        assertEquals(shift.rank_dest, shift.getRankDest());
    }

    @Test
    void should_shift() {
        CartGrid grid = grid();
        assertShift(grid.shift(6, 0, 1), 2, 10);
        assertShift(grid.shift(2, 0, 1), 10, 6);
        assertShift(grid.shift(2, 0, -4), 6, 10);
        assertShift(grid.shift(6, 1, 1), 5, 7);
        assertShift(grid.shift(7, 1, 1), 6, NONE);
        assertShift(grid.shift(6, 1, -2), NONE, 4);
        assertShift(grid.shift(6, 1, 0), 6, 6);
        assertShift(grid.shift(6, 1, Integer.MIN_VALUE), NONE, NONE);
        assertShift(line(7, true).shift(0, 0, Integer.MIN_VALUE), 2, 5);
        Refused.with(ErrorClass.DIMS, () -> grid.shift(0, 2, 1));
        Refused.with(ErrorClass.DIMS, () -> grid.shift(0, -1, 1));
    }

    @Test
    void should_list_neighbors_below_and_above_dimension_by_dimension() {
        assertArrayEquals(new int[] {8, 4, NONE, 1}, grid().neighbors(0));
        assertArrayEquals(new int[] {3, 11, 6, NONE}, grid().neighbors(7));
        assertArrayEquals(new int[] {0, 0}, line(1, true).neighbors(0));
        assertArrayEquals(new int[] {NONE, NONE}, line(1, false).neighbors(0));
        assertArrayEquals(new int[] {1, 1}, line(2, true).neighbors(0));
    }

    @Test
    void should_split_into_parts() {
        boolean[] rows = {false, true};
        CartGrid row = grid().sub(rows);
        assertEquals(4, row.size());
        assertArrayEquals(new int[] {NONE, 1}, row.neighbors(0));
        assertEquals(1, grid().subColor(6, rows));
        assertEquals(2, grid().subKey(6, rows));
        boolean[] columns = {true, false};
        assertArrayEquals(new int[] {2, 1}, grid().sub(columns).neighbors(0));
        assertEquals(2, grid().subColor(6, columns));
        assertEquals(1, grid().subKey(6, columns));
        Refused.with(ErrorClass.ARG, () -> grid().sub(new boolean[1]));
        Refused.with(ErrorClass.ARG, () -> grid().subColor(0, null));
    }

    @Test
    void should_give_each_part_as_many_ranks_as_it_has() {
        CartGrid grid = new CartGrid(new int[] {2, 3, 4}, new boolean[3]);
        boolean[] remain = {true, false, true};
        Map<Integer, Integer> count = new HashMap<>();
        for (int rank = 0; rank < grid.size(); rank++) {
            int next = count.merge(grid.subColor(rank, remain), 1, Integer::sum) - 1;
            assertEquals(next, grid.subKey(rank, remain));
        }
        assertEquals(Map.of(0, 8, 1, 8, 2, 8), count);
    }

    @Test
    void should_be_one_rank_without_dimensions() {
        CartGrid point = grid().sub(new boolean[2]);
        assertEquals(1, point.size());
        assertEquals(0, point.dimensions());
        assertEquals(0, point.rank(new int[0]));
        assertEquals(0, point.coords(0).length);
        assertEquals(0, point.neighbors(0).length);
        assertEquals(0, grid().subKey(6, new boolean[2]));
        assertEquals(6, grid().subColor(6, new boolean[2]));
    }

    @Test
    void should_refuse_wrong_shapes() {
        boolean[] two = new boolean[2];
        Refused.with(ErrorClass.DIMS, () -> new CartGrid(new int[] {0, 4}, two));
        Refused.with(ErrorClass.DIMS, () -> new CartGrid(new int[] {3, -4}, two));
        Refused.with(ErrorClass.ARG, () -> new CartGrid(new int[] {3}, two));
        Refused.with(ErrorClass.ARG, () -> new CartGrid(new int[] {3}, null));
        Refused.with(ErrorClass.ARG, () -> new CartGrid(null, two));
        Refused.with(ErrorClass.ARG, () -> grid().requireFits(11));
        assertEquals(12, grid().requireFits(12).size());
        CartGrid huge = new CartGrid(new int[] {1 << 20, 1 << 20}, two);
        Refused.with(ErrorClass.ARG, () -> huge.requireFits(1000));
    }

    @Test
    void should_map_ranks_to_themselves() {
        assertEquals(11, grid().map(11));
        assertEquals(Constants.UNDEFINED, grid().map(12));
    }

    private static int[] dims(int ranks, int... dims) {
        CartGrid.createDims(ranks, dims);
        return dims;
    }

    @Test
    void should_choose_balanced_extents() {
        assertArrayEquals(new int[] {4, 3}, dims(12, 0, 0));
        assertArrayEquals(new int[] {9, 8}, dims(72, 0, 0));
        assertArrayEquals(new int[] {3, 2, 2}, dims(12, 0, 0, 0));
        assertArrayEquals(new int[] {2, 3, 2}, dims(12, 0, 3, 0));
        assertArrayEquals(new int[] {3, 2}, dims(6, 0, 2));
        assertArrayEquals(new int[] {3, 2}, dims(6, 3, 2));
        assertArrayEquals(new int[] {1, 1}, dims(1, 0, 0));
        assertEquals(0, dims(1).length);
    }

    @Test
    void should_refuse_extents_that_do_not_fit() {
        for (int[] wrong : new int[][] {{-1, 0}, {5, 0}, {2, 2}, {12, 12}, {}, {8, 0}, {4, 6},
            {4, 6, 0}}) {
            int[] dims = wrong.clone();
            Refused.with(ErrorClass.DIMS, () -> CartGrid.createDims(12, dims));
            assertArrayEquals(wrong, dims);
        }
        Refused.with(ErrorClass.DIMS, () -> dims(0, 0, 0));
        Refused.with(ErrorClass.DIMS, () -> dims(-3, 0));
        Refused.with(ErrorClass.DIMS, () -> dims(0));
        Refused.with(ErrorClass.ARG, () -> CartGrid.createDims(4, null));
    }
}
