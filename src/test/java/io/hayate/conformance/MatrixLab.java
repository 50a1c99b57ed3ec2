// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;

import io.hayate.Blacs;
import io.hayate.BlacsGrid;
import io.hayate.Element;
import io.hayate.Grid;
import io.hayate.Span;
import io.hayate.scalapack.BlockCyclic;
import io.hayate.scalapack.DistributedMatrix;
import io.hayate.scalapack.Pivots;
import io.hayate.scalapack.ScaLapack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A grid with the matrices of one experiment, half of them in the heap, half in direct buffers.
 * They are whole, or each is a block of a larger matrix, whose other elements must not change.
 */
final class MatrixLab implements AutoCloseable {
    final Rank rank;
    final Grid grid;
    final ScaLapack lapack;
    private final Element element;
    private final boolean inLarger;
    private final List<DistributedMatrix> made = new ArrayList<>();
    /** Checks of the elements outside of blocks. */
    private final List<Runnable> others = new ArrayList<>();

    /** A matrix of this lab, whose shape its creator knows. */
    record Work(DistributedMatrix matrix, int rows, int columns) {
    }

    MatrixLab(Rank rank, Grid grid, Element element) {
        this(rank, grid, element, false);
    }

    private MatrixLab(Rank rank, Grid grid, Element element, boolean inLarger) {
        this.inLarger = inLarger;
        this.rank = rank;
        this.grid = grid;
        this.element = element;
        lapack = ScaLapack.on(grid);
    }

    /** Shapes of grids for a number of ranks: in one row, in one column, in a square. */
    static List<int[]> shapes(int ranks) {
        List<int[]> shapes = new ArrayList<>();
        for (int rows = 1; rows <= ranks; rows++) {
            if (ranks % rows == 0) {
                shapes.add(new int[] {rows, ranks / rows});
            }
        }
        return shapes;
    }

    /** Runs an experiment on all shapes of grids of all ranks, with all types. */
    static void onAllGrids(Rank rank, List<Element> elements, Consumer<MatrixLab> experiment) {
        try (Blacs blacs = Blacs.open(rank.job)) {
            for (int[] shape : shapes(rank.size)) {
                try (BlacsGrid grid = blacs.grid(shape[0], shape[1])) {
                    onGrid(rank, grid, elements, experiment);
                }
            }
        }
    }

    private static void onGrid(Rank rank, Grid grid, List<Element> elements,
            Consumer<MatrixLab> experiment) {
        for (Element element : elements) {
            for (boolean inLarger : new boolean[] {false, true}) {
                try (MatrixLab lab = new MatrixLab(rank, grid, element, inLarger)) {
                    experiment.accept(lab);
                    lab.checkOthers();
                }
            }
        }
    }

    /** Runs an experiment on a grid of all ranks, beside a grid of all ranks but one. */
    static void onTwoGrids(Rank rank, BiConsumer<MatrixLab, Grid> experiment) {
        try (Blacs blacs = Blacs.open(rank.job);
                BlacsGrid all = blacs.grid(rank.size, 1);
                BlacsGrid few = blacs.grid(1, rank.size - 1);
                MatrixLab lab = new MatrixLab(rank, all, Element.DOUBLE)) {
            experiment.accept(lab, few);
        }
    }

    boolean isFirst() {
        return grid.row() == 0 && grid.column() == 0;
    }

    /** Runs an action on the process that has what was gathered. */
    void onFirst(Runnable action) {
        if (isFirst()) {
            action.run();
        }
    }

    /** A well-conditioned matrix, the same on all ranks, whose factorisation swaps rows. */
    Dense random(int rows, int columns, long seed) {
        SplittableRandom random = new SplittableRandom(seed * 1000 + rows * 31L + columns);
        int most = Math.max(rows, columns);
        DistributedMatrix.Entry entry = (i, j) -> random.nextInt(-512, 513) / 512.0;
        return new Dense(rows, columns,
                (i, j) -> entry.at(i, j) + ((i + 1) % most == j ? 3 : 0),
                (i, j) -> element.isComplex() ? entry.at(i, j) : 0);
    }

    /** A matrix of zeros. */
    Work empty(BlockCyclic layout) {
        DistributedMatrix matrix = inLarger
                ? block(layout, layout.rowBlock(), layout.columnBlock()) : allocate(layout);
        return new Work(matrix, layout.rows(), layout.columns());
    }

    /**
     * A block of zeros in a larger matrix of ones, which is distributed so that the block begins on
     * the process of the layout if it begins at a multiple of the blocks.
     */
    DistributedMatrix block(BlockCyclic layout, int row, int column) {
        Grid on = layout.grid();
        DistributedMatrix larger = allocate(new BlockCyclic(on, row + layout.rows() + 3,
                column + layout.columns() + 2, layout.rowBlock(), layout.columnBlock(),
                Math.floorMod(layout.rowSource() - row / layout.rowBlock(), on.rows()),
                Math.floorMod(layout.columnSource() - column / layout.columnBlock(),
                        on.columns())));
        larger.fill((i, j) -> 1);
        DistributedMatrix block = larger.block(row, column, layout.rows(), layout.columns());
        block.fill((i, j) -> 0);
        others.add(() -> {
            BlockCyclic all = larger.layout();
            larger.block(row, column, layout.rows(), layout.columns()).fill((i, j) -> 1);
            for (int j = 0; j < all.localColumns(); j++) {
                for (int i = 0; i < all.localRows(); i++) {
                    int atRow = all.globalRow(i);
                    int atColumn = all.globalColumn(j);
                    check(larger.get(atRow, atColumn) == 1, "element (" + atRow + ", " + atColumn
                            + ") outside of the block at (" + row + ", " + column + ") is "
                            + larger.get(atRow, atColumn));
                }
            }
        });
        return block;
    }

    /** A block at any place of a larger matrix, with values that the first process deals out. */
    Work distributeBlock(Dense values, int block, int row, int column) {
        BlockCyclic layout = BlockCyclic.of(grid, values.rows, values.columns, block);
        Work work = new Work(block(layout, row, column), values.rows, values.columns);
        scatter(values, work);
        return work;
    }

    private void scatter(Dense values, Work to) {
        lapack.scatter(isFirst() ? values.values(element.isComplex()) : null, to.matrix);
    }

    /** Checks that no call changed an element outside of the blocks that it was given. */
    void checkOthers() {
        others.forEach(Runnable::run);
        others.clear();
    }

    private DistributedMatrix allocate(BlockCyclic layout) {
        DistributedMatrix matrix;
        if (made.size() % 2 == 0) {
            matrix = DistributedMatrix.allocate(rank.job, layout, element);
        } else {
            long bytes = DistributedMatrix.bytes(layout, element);
            matrix = DistributedMatrix.of(layout, element, Span.of(Rank.direct((int) bytes)));
        }
        made.add(matrix);
        return matrix;
    }

    /** A matrix whose values every process fills in itself. */
    Work filled(Grid where, Dense values, int block) {
        Work work = empty(BlockCyclic.of(where, values.rows, values.columns, block));
        work.matrix.fill(values::get);
        return work;
    }

    /** A matrix whose values the first process deals out. */
    Work distribute(Dense values, int rowBlock, int columnBlock) {
        Work work = empty(new BlockCyclic(grid, values.rows, values.columns, rowBlock, columnBlock,
                0, 0));
        scatter(values, work);
        return work;
    }

    /** The values on the first process, null elsewhere. */
    Dense gather(Work work) {
        double[] values = lapack.gather(work.matrix);
        check(values != null == isFirst(), "only the first process gets the values");
        return values == null ? null
                : new Dense(work.rows, work.columns, element.isComplex(), values);
    }

    void compare(Work actual, Supplier<Dense> expected, String what) {
        Dense found = gather(actual);
        onFirst(() -> near(expected.get(), found, what));
    }

    /** Compares with a tolerance for the type. */
    void near(Dense expected, Dense actual, String what) {
        double difference = expected.plus(-1, actual).largest();
        near(difference, 1 + expected.largest(), what, actual.rows + " x " + actual.columns);
    }

    void near(double expected, double actual, String what) {
        near(Math.abs(expected - actual), 1 + Math.abs(expected), what,
                "expected " + expected + ", got " + actual);
    }

    private void near(double difference, double scale, String what, String detail) {
        boolean single = element == Element.FLOAT || element == Element.COMPLEX_FLOAT;
        double limit = (single ? Math.ulp(1f) : Math.ulp(1.0)) * 2000 * scale;
        check(difference <= limit, what + " on " + grid.rows() + " x " + grid.columns() + ", "
                + element + ": differs by " + difference + ", limit " + limit + "; " + detail);
    }

    /** The row that each row of the matrix was swapped with, in their order, on all processes. */
    int[] pivotsOfAll(DistributedMatrix matrix, Pivots pivots) {
        BlockCyclic layout = matrix.layout();
        int[] rows = new int[layout.rows()];
        for (int i = 0; i < layout.localRows() && grid.column() == 0; i++) {
            rows[layout.globalRow(i)] = pivots.row(i);
        }
        rank.fmpl.allreduce(Span.of(rows), io.hayate.Reduction.INT_SUM);
        return rows;
    }

    /** The rows of a matrix, swapped one after the other. */
    static Dense permuted(Dense a, int[] swaps, int order) {
        Integer[] at = new Integer[a.rows];
        Arrays.setAll(at, i -> i);
        for (int i = 0; i < order; i++) {
            int saved = at[i];
            at[i] = at[swaps[i]];
            at[swaps[i]] = saved;
        }
        return a.rowsAt(at);
    }

    @Override
    public void close() {
        made.forEach(DistributedMatrix::close);
    }
}
