// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.expect;
import static io.hayate.conformance.ScaLapackInputScenarios.numerical;
import static io.hayate.conformance.ScaLapackInputScenarios.refused;

import io.hayate.ClosedException;
import io.hayate.Element;
import io.hayate.scalapack.DistributedMatrix;
import io.hayate.scalapack.Norm;
import io.hayate.scalapack.Pivots;
import io.hayate.scalapack.ScaLapack;
import io.hayate.scalapack.Transpose;
import io.hayate.scalapack.Triangle;
import java.util.Arrays;
import java.util.List;

/**
 * ScaLAPACK on blocks of matrices. {@link ScaLapackScenarios} calls every routine with blocks that
 * begin at the bounds of the distribution, too.
 */
final class ScaLapackBlockScenarios {
    private static final List<Element> TYPES = List.of(Element.FLOAT, Element.COMPLEX_DOUBLE);
    private static final List<Element> DOUBLE = List.of(Element.DOUBLE);

    /** Products, norms, Q R and copies take a block that begins and ends anywhere. */
    @Scenario
    static void should_compute_with_blocks_at_any_place(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            for (int place = 0; place < 6; place++) {
                multiply(lab, place, 2 * place % 5);
                Dense tall = lab.random(11, 6, 1);
                ScaLapackScenarios.factor(lab, tall,
                        lab.distributeBlock(tall, 3, place, 3 * place % 7));
                lab.checkOthers();
            }
        });
    }

    private static void multiply(MatrixLab lab, int row, int column) {
        Dense a = lab.random(7, 9, 1);
        Dense b = lab.random(9, 5, 2);
        Dense c = lab.random(7, 5, 3);
        MatrixLab.Work da = lab.distributeBlock(a, 3, row, column);
        MatrixLab.Work db = lab.distributeBlock(b, 2, column, row);
        MatrixLab.Work dc = lab.distributeBlock(c, 4, row, row);
        lab.lapack.gemm(0.5, Transpose.NONE, da.matrix(), Transpose.NONE, db.matrix(), -2,
                dc.matrix());
        lab.compare(dc, () -> a.times(b).scaled(0.5).plus(-2, c), "product");
        lab.near(a.largest(), lab.lapack.norm(Norm.MAX, da.matrix()), "norm");
        double sum = 0;
        for (int i = 0; i < a.rows; i++) {
            double ofRow = 0;
            for (int j = 0; j < a.columns; j++) {
                ofRow += a.absolute(i, j);
            }
            sum = Math.max(sum, ofRow);
        }
        lab.near(sum, lab.lapack.norm(Norm.INFINITY, da.matrix()), "norm");
        MatrixLab.Work copy = lab.distributeBlock(new Dense(7, 9), 2, column, 1);
        lab.lapack.copy(da.matrix(), copy.matrix());
        lab.compare(copy, () -> a, "copy");
    }

    /** The first block need not be on process (0, 0), and the right-hand sides begin anywhere. */
    @Scenario
    static void should_solve_on_blocks_that_begin_on_any_process(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            for (int place = 0; place < 3; place++) {
                systems(lab, 2 * place);
                leastSquares(lab, 2 * place);
                eigenvalues(lab, 2 * place);
                lab.checkOthers();
            }
        });
    }

    /** A block that begins in this row and column of the distribution, not of the processes. */
    private static MatrixLab.Work from(MatrixLab lab, Dense values, int row, int column) {
        MatrixLab.Work work = lab.distributeBlock(new Dense(row + values.rows,
                column + values.columns), 2, 0, 0);
        DistributedMatrix block = work.matrix().block(row, column, values.rows, values.columns);
        block.fill(values::get, values::getImaginary);
        return new MatrixLab.Work(block, values.rows, values.columns);
    }

    private static void systems(MatrixLab lab, int place) {
        Dense a = lab.random(9, 9, 1);
        Dense b = lab.random(9, 3, 2);
        MatrixLab.Work da = from(lab, a, place, 2);
        MatrixLab.Work db = from(lab, b, place, 1);
        Pivots pivots = lab.lapack.gesv(da.matrix(), db.matrix());
        lab.compare(db, () -> a.solve(b), "gesv");
        MatrixLab.Work again = from(lab, b, place, 3);
        lab.lapack.getrs(Transpose.TRANSPOSED, da.matrix(), pivots, again.matrix());
        lab.compare(again, () -> a.transposed(false).solve(b), "getrs");
        Dense definite = a.times(a.transposed(true)).plus(3, Dense.identity(9));
        MatrixLab.Work dd = from(lab, definite, place, 4);
        MatrixLab.Work x = from(lab, b, place, 0);
        lab.lapack.potrf(Triangle.UPPER, dd.matrix());
        lab.lapack.potrs(Triangle.UPPER, dd.matrix(), x.matrix());
        lab.compare(x, () -> definite.solve(b), "potrs");
    }

    private static void leastSquares(MatrixLab lab, int place) {
        Dense a = lab.random(8, 5, 1);
        Dense b = lab.random(8, 3, 2);
        MatrixLab.Work da = from(lab, a, place, 2);
        MatrixLab.Work db = from(lab, b, place, 1);
        lab.lapack.gels(Transpose.NONE, da.matrix(), db.matrix());
        Dense x = lab.gather(db);
        Dense adjoint = a.transposed(true);
        lab.onFirst(() -> lab.near(adjoint.times(a).solve(adjoint.times(b)), x.part(5, 3), "gels"));
    }

    private static void eigenvalues(MatrixLab lab, int place) {
        Dense half = lab.random(7, 7, 1);
        Dense a = half.plus(1, half.transposed(true));
        MatrixLab.Work da = from(lab, a, place, 2);
        MatrixLab.Work dz = from(lab, new Dense(7, 7), place, 2);
        double[] values = lab.lapack.syev(Triangle.LOWER, da.matrix(), dz.matrix());
        Dense z = lab.gather(dz);
        lab.onFirst(() -> lab.near(a.times(z), z.times(new Dense(7, 7,
                (i, j) -> i == j ? values[i] : 0, (i, j) -> 0)), "A Z = Z D"));
    }

    /** Blocks of one matrix are the arguments of one call: a step of a factorisation by hand. */
    @Scenario
    static void should_take_several_blocks_of_one_matrix(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            Dense a = lab.random(6, 6, 1);
            Dense b = lab.random(6, 2, 2);
            DistributedMatrix all = lab.distribute(new Dense(6, 8), 2, 2).matrix();
            DistributedMatrix left = all.block(0, 0, 6, 6);
            DistributedMatrix right = all.block(0, 6, 6, 2);
            left.fill(a::get, a::getImaginary);
            right.fill(b::get, b::getImaginary);
            DistributedMatrix product = lab.distribute(new Dense(6, 2), 3, 1).matrix();
            lab.lapack.gemm(1, Transpose.NONE, left, Transpose.NONE, right, 0, product);
            lab.lapack.gesv(left, right);
            lab.compare(new MatrixLab.Work(right, 6, 2), () -> a.solve(b), "the last columns");
            lab.compare(new MatrixLab.Work(product, 6, 2), () -> a.times(b), "the product");
            left.fill(a::get, a::getImaginary);
            lab.lapack.gemm(1, Transpose.NONE, left.block(1, 2, 3, 3), Transpose.NONE,
                    left.block(2, 3, 3, 1), -1, right.block(1, 1, 3, 1));
            Dense x = lab.gather(new MatrixLab.Work(right, 6, 2));
            lab.onFirst(() -> {
                Dense expected = a.part(1, 2, 3, 3).times(a.part(2, 3, 3, 1))
                        .plus(-1, a.solve(b).part(1, 1, 3, 1));
                lab.near(expected, x.part(1, 1, 3, 1), "blocks of blocks");
            });
        });
    }

    @Scenario
    static void should_count_pivots_from_the_beginning_of_a_block(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            Dense a = new Dense(9, 9, (i, j) -> j == 6 ? 0 : i == j ? 2 : 0, (i, j) -> 0);
            DistributedMatrix block = from(lab, a, 4, 2).matrix();
            numerical(7, "pivot 7 of 9", () -> lab.lapack.getrf(block));
            Dense swapped = new Dense(3, 3, (i, j) -> (i + 1) % 3 == j ? 1 : 0, (i, j) -> 0);
            DistributedMatrix rows = from(lab, swapped, 2, 4).matrix();
            Pivots pivots = lab.lapack.getrf(rows);
            String all = Arrays.toString(lab.pivotsOfAll(rows, pivots));
            check(all.equals("[2, 2, 2]"), all);
        });
    }

    @Scenario
    static void should_refuse_blocks_that_do_not_begin_where_the_routine_needs_it(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            ScaLapack lapack = lab.lapack;
            DistributedMatrix all = lab.filled(lab.grid, lab.random(24, 24, 1), 4).matrix();
            DistributedMatrix good = all.block(4, 8, 6, 6);
            DistributedMatrix low = all.block(6, 8, 6, 6);
            DistributedMatrix right = all.block(4, 9, 6, 6);
            DistributedMatrix b = all.block(4, 16, 6, 2);
            DistributedMatrix lowB = all.block(5, 16, 6, 2);
            String row = "begins at row 2 of a block of 4: ";
            String column = "begins at column 1 of a block of 4: ";
            refused(row, () -> lapack.getrf(low));
            refused(column, () -> lapack.getrf(right));
            refused(column, () -> lapack.gesv(right, b));
            refused("b begins at row 1 of a block of 4", () -> lapack.gesv(good, lowB));
            refused("b begins at row 1", () -> lapack.potrs(Triangle.LOWER, good, lowB));
            refused(row, () -> lapack.potrf(Triangle.LOWER, low));
            refused(row, () -> lapack.gels(Transpose.NONE, low, b));
            refused("b begins at row 1", () -> lapack.gels(Transpose.NONE, good, lowB));
            refused(row, () -> lapack.syev(Triangle.LOWER, low, null));
            refused(column, () -> lapack.syevd(Triangle.LOWER, right, good));
            refused(column, () -> lapack.gesvd(right, null, null));
            DistributedMatrix z = all.block(12, 2, 6, 6);
            refused("z is 6 x 6", () -> lapack.syev(Triangle.LOWER, good, z));
            refused("overlaps", () -> lapack.gesv(good, all.block(4, 13, 6, 2)));
            refused("overlaps", () -> lapack.copy(all.block(0, 0, 5, 5), all.block(4, 4, 5, 5)));
            if (lab.grid.rows() > 1) {
                refused("b has blocks of 4 rows from process row ",
                        () -> lapack.gesv(good, all.block(8, 16, 6, 2)));
                refused("expected (0, 0)", () -> lapack.gesvd(all.block(4, 0, 6, 6), null, null));
                DistributedMatrix other = all.block(4, 16, 6, 6);
                refused("expected (0, 0)", () -> lapack.syevd(Triangle.UPPER, good, other));
            }
        });
    }

    @Scenario
    static void should_refuse_blocks_outside_of_the_matrix(Rank rank) {
        MatrixLab.onAllGrids(rank, DOUBLE, lab -> {
            DistributedMatrix all = lab.filled(lab.grid, lab.random(5, 7, 1), 2).matrix();
            refused("a block of 2 rows from row 4 on", () -> all.block(4, 0, 2, 1));
            refused("a block of 0 columns from column 0", () -> all.block(0, 0, 1, 0));
            refused("row -1 on", () -> all.block(-1, 0, 1, 1));
            DistributedMatrix block = all.block(1, 1, 3, 3);
            refused("inside the matrix, which has 3", () -> block.block(0, 1, 1, 3));
            refused("row 3: expected 0 to 2", () -> block.set(3, 0, 1));
            refused("begins with a complete block", () ->
                    DistributedMatrix.allocate(rank.job, block.layout(), Element.DOUBLE));
            block.close();
            expect(ClosedException.class, "block closed", () -> block.set(0, 0, 1));
            all.set(0, 0, 1);
            DistributedMatrix second = all.block(0, 0, 2, 2);
            all.close();
            expect(ClosedException.class, "matrix closed", () -> second.set(0, 0, 1));
            expect(ClosedException.class, "matrix closed", () -> lab.lapack.getrf(second));
            expect(ClosedException.class, "matrix closed", () -> all.block(0, 0, 1, 1));
        });
    }
}
