// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static io.hayate.conformance.Rank.check;
import static io.hayate.conformance.Rank.equal;

import io.hayate.Element;
import io.hayate.scalapack.BlockCyclic;
import io.hayate.scalapack.Norm;
import io.hayate.scalapack.Pivots;
import io.hayate.scalapack.ScaLapack;
import io.hayate.scalapack.Transpose;
import io.hayate.scalapack.Triangle;
import java.util.EnumSet;
import java.util.List;

/** Every routine of ScaLAPACK against a plain one, on all grids of the ranks. */
final class ScaLapackScenarios {
    private static final List<Element> TYPES = List.of(Element.FLOAT, Element.DOUBLE,
            Element.COMPLEX_FLOAT, Element.COMPLEX_DOUBLE);

    @Scenario
    static void should_multiply_matrices(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            for (Transpose opA : Transpose.values()) {
                for (Transpose opB : Transpose.values()) {
                    multiply(lab, opA, opB);
                }
            }
        });
    }

    private static void multiply(MatrixLab lab, Transpose opA, Transpose opB) {
        boolean plainA = opA == Transpose.NONE;
        boolean plainB = opB == Transpose.NONE;
        Dense a = lab.random(plainA ? 7 : 9, plainA ? 9 : 7, 1);
        Dense b = lab.random(plainB ? 9 : 5, plainB ? 5 : 9, 2);
        Dense c = lab.random(7, 5, 3);
        MatrixLab.Work da = lab.distribute(a, 3, 2);
        MatrixLab.Work db = lab.distribute(b, 2, 4);
        MatrixLab.Work dc = lab.distribute(c, 1, 3);
        lab.lapack.gemm(0.5, opA, da.matrix(), opB, db.matrix(), -2, dc.matrix());
        lab.compare(dc, () -> op(a, opA).times(op(b, opB)).scaled(0.5).plus(-2, c),
                opA + " " + opB);
    }

    private static Dense op(Dense matrix, Transpose op) {
        return op == Transpose.NONE ? matrix : matrix.transposed(op == Transpose.CONJUGATED);
    }

    @Scenario
    static void should_compute_norms(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            Dense a = lab.random(8, 5, 1);
            MatrixLab.Work da = lab.distribute(a, 3, 2);
            for (Norm norm : Norm.values()) {
                double expected = norm(a, norm);
                lab.near(expected, lab.lapack.norm(norm, da.matrix()), norm.toString());
            }
        });
    }

    private static double norm(Dense a, Norm norm) {
        double[] rows = new double[a.rows];
        double[] columns = new double[a.columns];
        double squares = 0;
        for (int i = 0; i < a.rows; i++) {
            for (int j = 0; j < a.columns; j++) {
                rows[i] += a.absolute(i, j);
                columns[j] += a.absolute(i, j);
                squares += a.absolute(i, j) * a.absolute(i, j);
            }
        }
        return switch (norm) {
            case MAX -> a.largest();
            case ONE -> java.util.Arrays.stream(columns).max().orElse(0);
            case INFINITY -> java.util.Arrays.stream(rows).max().orElse(0);
            case FROBENIUS -> Math.sqrt(squares);
        };
    }

    @Scenario
    static void should_solve_linear_systems(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            Dense a = lab.random(13, 13, 1);
            Dense b = lab.random(13, 4, 2);
            MatrixLab.Work da = lab.distribute(a, 3, 3);
            MatrixLab.Work db = lab.distribute(b, 3, 2);
            Pivots pivots = lab.lapack.gesv(da.matrix(), db.matrix());
            lab.compare(db, () -> a.solve(b), "gesv");
            for (Transpose op : Transpose.values()) {
                MatrixLab.Work again = lab.distribute(b, 3, 1);
                lab.lapack.getrs(op, da.matrix(), pivots, again.matrix());
                lab.compare(again, () -> op(a, op).solve(b), "getrs " + op);
            }
        });
    }

    /** The rows of A, interchanged as the pivots say, are L U; A need not be square. */
    @Scenario
    static void should_factor_with_row_interchanges(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            for (int columns : new int[] {7, 10, 12}) {
                Dense a = lab.random(10, columns, 1);
                MatrixLab.Work da = lab.distribute(a, 4, 4);
                Pivots pivots = lab.lapack.getrf(da.matrix());
                Dense factors = lab.gather(da);
                int[] rows = lab.pivotsOfAll(da.matrix(), pivots);
                int order = Math.min(10, columns);
                lab.onFirst(() -> {
                    Dense l = factors.part(10, order).triangle(false);
                    Dense unit = l.plus(-1, l.triangle(true)).plus(1,
                            new Dense(10, order, (i, j) -> i == j ? 1 : 0, (i, j) -> 0));
                    Dense u = factors.part(order, columns).triangle(true);
                    lab.near(MatrixLab.permuted(a, rows, order), unit.times(u), "P A = L U");
                });
            }
        });
    }

    @Scenario
    static void should_factor_definite_matrices(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            for (Triangle triangle : Triangle.values()) {
                Dense root = lab.random(11, 11, 1);
                Dense a = root.times(root.transposed(true)).plus(3, Dense.identity(11));
                Dense b = lab.random(11, 3, 2);
                boolean upper = triangle == Triangle.UPPER;
                MatrixLab.Work da = lab.distribute(a.triangle(upper), 2, 2);
                MatrixLab.Work db = lab.distribute(b, 2, 5);
                lab.lapack.potrf(triangle, da.matrix());
                Dense factor = lab.gather(da);
                lab.lapack.potrs(triangle, da.matrix(), db.matrix());
                lab.compare(db, () -> a.solve(b), "potrs " + triangle);
                lab.onFirst(() -> {
                    Dense f = factor.triangle(upper);
                    lab.near(a, upper ? f.transposed(true).times(f)
                            : f.times(f.transposed(true)), "potrf " + triangle);
                });
            }
        });
    }

    @Scenario
    static void should_factor_with_an_orthogonal_matrix(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            Dense a = lab.random(11, 6, 1);
            MatrixLab.Work da = lab.distribute(a, 2, 3);
            factor(lab, a, da);
        });
    }

    /** Q R = A, and Q is orthogonal. */
    static void factor(MatrixLab lab, Dense a, MatrixLab.Work da) {
        double[] factors = lab.lapack.geqrf(da.matrix());
        Dense result = lab.gather(da);
        lab.lapack.orgqr(da.matrix(), factors);
        Dense q = lab.gather(da);
        lab.onFirst(() -> {
            lab.near(a, q.times(result.part(6, 6).triangle(true)), "Q R");
            lab.near(Dense.identity(6), q.transposed(true).times(q), "Q^H Q");
        });
    }

    @Scenario
    static void should_solve_least_squares_problems(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            for (int[] shape : new int[][] {{12, 5}, {5, 12}, {6, 6}}) {
                for (Transpose op : List.of(Transpose.NONE, Transpose.CONJUGATED)) {
                    leastSquares(lab, shape[0], shape[1], op);
                }
            }
        });
    }

    private static void leastSquares(MatrixLab lab, int rows, int columns, Transpose op) {
        Dense a = lab.random(rows, columns, 1);
        Dense system = op(a, op);
        Dense b = lab.random(Math.max(rows, columns), 3, 2);
        MatrixLab.Work da = lab.distribute(a, 2, 2);
        MatrixLab.Work db = lab.distribute(b, 2, 2);
        lab.lapack.gels(op, da.matrix(), db.matrix());
        Dense x = lab.gather(db);
        lab.onFirst(() -> {
            Dense right = b.part(system.rows, 3);
            Dense adjoint = system.transposed(true);
            Dense expected = system.rows >= system.columns
                    ? adjoint.times(system).solve(adjoint.times(right))
                    : adjoint.times(system.times(adjoint).solve(right));
            lab.near(expected, x.part(system.columns, 3), rows + " x " + columns + " " + op);
        });
    }

    /** Also of one element, in less than one block, and where processes have no part. */
    @Scenario
    static void should_find_eigenvalues_and_vectors(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            eigenvalues(lab, Triangle.UPPER, 13, 3);
            eigenvalues(lab, Triangle.LOWER, 13, 3);
            eigenvalues(lab, Triangle.LOWER, 1, 1);
            eigenvalues(lab, Triangle.UPPER, 5, 8);
            eigenvalues(lab, Triangle.LOWER, 20, 16);
        });
    }

    private static void eigenvalues(MatrixLab lab, Triangle triangle, int order, int block) {
        Dense part = lab.random(order, order, 1);
        Dense a = part.plus(1, part.transposed(true));
        Dense half = a.triangle(triangle == Triangle.UPPER);
        Dense expected = column(a.eigenvalues());
        for (int way = 0; way < 3; way++) {
            MatrixLab.Work da = lab.distribute(half, block, block);
            MatrixLab.Work dz = lab.distribute(new Dense(order, order), block, block);
            double[] values = switch (way) {
                case 0 -> lab.lapack.syev(triangle, da.matrix(), null);
                case 1 -> lab.lapack.syev(triangle, da.matrix(), dz.matrix());
                default -> lab.lapack.syevd(triangle, da.matrix(), dz.matrix());
            };
            String what = (way == 2 ? "syevd" : "syev") + " in blocks of " + block;
            lab.near(expected, column(values), what + ": eigenvalues");
            if (way > 0) {
                eigenvectors(lab, a, values, dz, what);
            }
        }
    }

    private static void eigenvectors(MatrixLab lab, Dense a, double[] values, MatrixLab.Work dz,
            String what) {
        Dense z = lab.gather(dz);
        lab.onFirst(() -> {
            lab.near(Dense.identity(z.rows), z.transposed(true).times(z), what + ": Z^H Z");
            lab.near(z.times(diagonal(values)), a.times(z), what + ": A Z = Z D");
        });
    }

    private static Dense column(double[] values) {
        return new Dense(values.length, 1, (i, j) -> values[i], (i, j) -> 0);
    }

    private static Dense diagonal(double[] values) {
        return new Dense(values.length, values.length, (i, j) -> i == j ? values[i] : 0,
                (i, j) -> 0);
    }

    @Scenario
    static void should_find_singular_values_and_vectors(Rank rank) {
        MatrixLab.onAllGrids(rank, TYPES, lab -> {
            for (int[] shape : new int[][] {{11, 7, 3}, {7, 11, 3}, {8, 8, 3}, {1, 1, 1},
                {1, 5, 4}, {3, 2, 8}}) {
                for (boolean vectors : new boolean[] {false, true}) {
                    singularValues(lab, shape[0], shape[1], shape[2], vectors);
                }
            }
        });
    }

    private static void singularValues(MatrixLab lab, int rows, int columns, int block,
            boolean vectors) {
        int size = Math.min(rows, columns);
        Dense a = lab.random(rows, columns, 1);
        MatrixLab.Work da = lab.distribute(a, block, block);
        MatrixLab.Work du = vectors ? lab.distribute(new Dense(rows, size), block, block) : null;
        MatrixLab.Work dv = vectors ? lab.distribute(new Dense(size, columns), block, block) : null;
        double[] values = lab.lapack.gesvd(da.matrix(), vectors ? du.matrix() : null,
                vectors ? dv.matrix() : null);
        equal(size, values.length, "number of values");
        Dense gram = rows >= columns ? a.transposed(true).times(a) : a.times(a.transposed(true));
        double[] squares = gram.eigenvalues();
        for (int i = 0; i < size; i++) {
            lab.near(squares[size - 1 - i], values[i] * values[i], "singular value " + i);
        }
        if (vectors) {
            Dense u = lab.gather(du);
            Dense vt = lab.gather(dv);
            lab.onFirst(() -> lab.near(a, u.times(diagonal(values)).times(vt), "U S V^T"));
        }
    }

    /** Between blocks of any size, sources and grids, also of some of the ranks. */
    @Scenario
    static void should_redistribute_matrices(Rank rank) {
        for (Element element : EnumSet.range(Element.INT, Element.COMPLEX_DOUBLE)) {
            MatrixLab.onAllGrids(rank, List.of(element), lab -> {
                Dense a = lab.random(9, 14, 1).scaled(1000);
                Dense whole = element == Element.INT
                        ? new Dense(9, 14, (i, j) -> (int) a.get(i, j), (i, j) -> 0) : a;
                MatrixLab.Work first = lab.distribute(whole, 2, 3);
                int lastRow = lab.grid.rows() - 1;
                int lastColumn = lab.grid.columns() - 1;
                BlockCyclic other = new BlockCyclic(lab.grid, 9, 14, 4, 5, lastRow, lastColumn);
                MatrixLab.Work second = lab.empty(other);
                lab.lapack.copy(first.matrix(), second.matrix());
                lab.compare(second, () -> whole, "other blocks");
            });
        }
    }

    /** Too large for one panel: the values are dealt out and collected in several. */
    @Scenario
    static void should_scatter_and_gather_large_matrices(Rank rank) {
        MatrixLab.onAllGrids(rank, List.of(Element.DOUBLE, Element.COMPLEX_FLOAT), lab -> {
            Dense a = new Dense(700, 901, (i, j) -> 1000 * i + j, (i, j) -> 0);
            MatrixLab.Work work = lab.distribute(a, 64, 32);
            BlockCyclic layout = work.matrix().layout();
            for (int j = 0; j < layout.localColumns(); j++) {
                int column = layout.globalColumn(j);
                int row = layout.localRows() > 0 ? layout.globalRow(layout.localRows() - 1) : -1;
                check(row < 0 || work.matrix().get(row, column) == 1000 * row + column,
                        "column " + column);
            }
            lab.compare(work, () -> a, "there and back");
        });
    }

    /** A matrix moves from a grid of all ranks to one of some of them, and back. */
    @Scenario(ranks = 2)
    static void should_redistribute_between_grids(Rank rank) {
        MatrixLab.onTwoGrids(rank, (lab, few) -> {
            Dense a = lab.random(8, 5, 1);
            MatrixLab.Work there = lab.distribute(a, 2, 2);
            MatrixLab.Work here = lab.empty(BlockCyclic.of(few, 8, 5, 3));
            check(few.row() >= 0 || here.matrix().layout().localRows() == 0, "a part for nobody");
            lab.lapack.copy(there.matrix(), here.matrix());
            if (few.row() >= 0) {
                MatrixLab.Work product = lab.filled(few, new Dense(8, 5), 3);
                ScaLapack.on(few).gemm(1, Transpose.NONE, here.matrix(), Transpose.NONE,
                        lab.filled(few, Dense.identity(5), 3).matrix(), 0, product.matrix());
            }
            MatrixLab.Work back = lab.distribute(new Dense(8, 5), 1, 1);
            lab.lapack.copy(here.matrix(), back.matrix());
            lab.compare(back, () -> a, "there and back");
        });
    }
}
