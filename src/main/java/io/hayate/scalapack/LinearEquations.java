// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.netlib.FortranCall;

/** Linear systems: LU and Cholesky factors, and solutions with them. */
final class LinearEquations {
    private LinearEquations() {
    }

    static Pivots gesv(Operands all, DistributedMatrix a, DistributedMatrix b) {
        all.add(a, "a").add(b, "b");
        all.requireSquare(a, "a");
        all.requireSameRows(a, "a", b, "b", a.rows());
        int[][] pivots = new int[1][];
        all.run(call -> {
            call.integer("N", a.rows()).integer("NRHS", b.columns());
            all.pass(call, a, "A");
            FortranCall.Array rows = call.array("IPIV", 'i', pivotCount(a));
            all.pass(call, b, "B");
            all.check(call, call.run(), Diagnosis.SINGULAR, a.rows());
            pivots[0] = rows.ints();
        });
        return new Pivots(a.layout(), pivots[0]);
    }

    static Pivots getrf(Operands all, DistributedMatrix a) {
        all.add(a, "a");
        all.requireSquareBlocks(a, "a");
        int[][] pivots = new int[1][];
        all.run(call -> {
            call.integer("M", a.rows()).integer("N", a.columns());
            all.pass(call, a, "A");
            FortranCall.Array rows = call.array("IPIV", 'i', pivotCount(a));
            all.check(call, call.run(), Diagnosis.SINGULAR, a.rows());
            pivots[0] = rows.ints();
        });
        return new Pivots(a.layout(), pivots[0]);
    }

    private static long pivotCount(DistributedMatrix a) {
        return (long) a.layout().localRows() + a.layout().rowBlock();
    }

    static void getrs(Operands all, Transpose opA, DistributedMatrix a, Pivots pivots,
            DistributedMatrix b) {
        Errors.required(opA, "opA");
        Errors.required(pivots, "pivots");
        all.add(a, "a").add(b, "b");
        all.requireSquare(a, "a");
        all.requireSameRows(a, "a", b, "b", a.rows());
        if (!pivots.layout.equals(a.layout())) {
            throw Errors.argument("pivots of a matrix " + pivots.layout + ": a is " + a.layout());
        }
        all.run(call -> {
            call.character("TRANS", opA.letter).integer("N", a.rows()).integer("NRHS", b.columns());
            all.pass(call, a, "A");
            call.ints("IPIV", pivots.rows);
            all.pass(call, b, "B");
            all.check(call, call.run(), Diagnosis.NONE, 0);
        });
    }

    static void potrf(Operands all, Triangle triangle, DistributedMatrix a) {
        Errors.required(triangle, "triangle");
        all.add(a, "a");
        all.requireSquare(a, "a");
        all.run(call -> {
            call.character("UPLO", triangle.letter).integer("N", a.rows());
            all.pass(call, a, "A");
            all.check(call, call.run(), Diagnosis.NOT_DEFINITE, a.rows());
        });
    }

    static void potrs(Operands all, Triangle triangle, DistributedMatrix a, DistributedMatrix b) {
        Errors.required(triangle, "triangle");
        all.add(a, "a").add(b, "b");
        all.requireSquare(a, "a");
        all.requireSameRows(a, "a", b, "b", a.rows());
        all.run(call -> {
            call.character("UPLO", triangle.letter).integer("N", a.rows())
                    .integer("NRHS", b.columns());
            all.pass(call, a, "A");
            all.pass(call, b, "B");
            all.check(call, call.run(), Diagnosis.NONE, 0);
        });
    }
}
