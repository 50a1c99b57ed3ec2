// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.netlib.FortranCall;
import java.util.function.Consumer;

/**
 * Eigenvalues and eigenvectors of symmetric and Hermitian matrices.
 *
 * <p>The queries of pdsyevd and pzheevd (ScaLAPACK 2.2) tell lengths of work arrays that can be too
 * short for the routines inside: these write to standard output, and the eigenvectors are wrong
 * with INFO = 0. So the arrays get at least the lengths that the manuals of these routines ask for.
 */
final class Eigenproblems {
    private Eigenproblems() {
    }

    /** Calls pdsyev or pzheev; without eigenvectors if z is null. */
    static double[] qr(Operands all, Triangle triangle, DistributedMatrix a, DistributedMatrix z) {
        check(all, triangle, a, z);
        all.requireFinite(a, "a", triangle);
        double[] values = solve(all, triangle, a, z, call -> {
            call.work("WORK", all.type());
            if (all.isComplex()) {
                call.work("RWORK", all.realType(), 4L * a.rows());
            }
        });
        if (a.rows() == 1 && z != null) {
            z.set(0, 0, 1); // zsteqr2 of ScaLAPACK 2.2 makes it 1 + i
        }
        return values;
    }

    /**
     * Returns whether there is nothing to divide. In ScaLAPACK 2.2, pdsyevd computes the
     * eigenvalues of such a matrix on one process only.
     */
    static boolean isOneBlock(DistributedMatrix a) {
        return a.rows() <= a.layout().rowBlock();
    }

    /** Calls pdsyevd or pzheevd, for more than one block. */
    static double[] divideAndConquer(Operands all, Triangle triangle, DistributedMatrix a,
            DistributedMatrix z) {
        check(all, triangle, a, z);
        all.requireSource(a, "a");
        all.requireFinite(a, "a", triangle);
        return solve(all, triangle, a, z, call -> {
            long order = a.rows();
            if (all.isComplex()) {
                long part = (long) a.layout().localRows() * a.layout().localColumns();
                call.work("WORK", all.type(), order + transformation(a.layout()));
                call.work("RWORK", all.realType(), order + part + tridiagonal(a.layout()));
            } else {
                call.work("WORK", all.type(), 2 * order
                        + Math.max(transformation(a.layout()), tridiagonal(a.layout())));
            }
            call.work("IWORK", 'i');
        });
    }

    private static void check(Operands all, Triangle triangle, DistributedMatrix a,
            DistributedMatrix z) {
        Errors.required(triangle, "triangle");
        all.add(a, "a");
        all.requireSquare(a, "a");
        if (z != null) {
            all.add(z, "z");
            all.requireSameLayout(a, "a", z, "z");
        }
    }

    /** What pdormtr (pzunmtr) and pdsytrd (pzhetrd) ask for. */
    private static long transformation(BlockCyclic a) {
        long block = a.rowBlock();
        long sides = ((long) a.localRows() + a.localColumns()) * block;
        return Math.max(3 * block,
                Math.max(block * (block - 1) / 2, sides) + block * block);
    }

    /** What pdstedc and pdlasrt ask for. */
    private static long tridiagonal(BlockCyclic a) {
        long rows = a.localRows();
        long columns = a.localColumns();
        return Math.max(6L * a.rows() + 2 * rows * columns, rows * (a.rowBlock() + columns));
    }

    private static double[] solve(Operands all, Triangle triangle, DistributedMatrix a,
            DistributedMatrix z, Consumer<FortranCall> addWork) {
        double[][] values = new double[1][];
        all.run(call -> {
            call.character("JOBZ", z == null ? 'N' : 'V').character("UPLO", triangle.letter)
                    .integer("N", a.rows());
            all.pass(call, a, "A");
            FortranCall.Array w = call.array("W", all.realType(), a.rows());
            all.pass(call, z == null ? a : z, "Z");
            addWork.accept(call);
            all.check(call, call.run(), Diagnosis.EIGENVALUE, a.rows());
            values[0] = w.numbers();
        });
        return values[0];
    }
}
