// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.netlib.FortranCall;

/** Orthogonal factors, and least squares problems, which are solved with them. */
final class LeastSquares {
    private LeastSquares() {
    }

    static double[] geqrf(Operands all, DistributedMatrix a) {
        all.add(a, "a");
        double[][] factors = new double[1][];
        all.run(call -> {
            call.integer("M", a.rows()).integer("N", a.columns());
            all.pass(call, a, "A");
            FortranCall.Array tau = call.array("TAU", all.type(), reflectors(a));
            call.work("WORK", all.type());
            all.check(call, call.run(), Diagnosis.NONE, 0);
            factors[0] = tau.numbers();
        });
        return factors[0];
    }

    /** Returns the length of TAU. */
    private static int reflectors(DistributedMatrix a) {
        BlockCyclic layout = a.layout();
        return BlockCyclic.numroc(layout.columnOffset() + Math.min(a.rows(), a.columns()),
                layout.columnBlock(), layout.grid().column(), layout.columnSource(),
                layout.grid().columns());
    }

    static void orgqr(Operands all, DistributedMatrix a, double... factors) {
        Errors.required(factors, "factors");
        all.add(a, "a");
        int expected = reflectors(a) * (all.isComplex() ? 2 : 1);
        if (a.columns() > a.rows() || factors.length != expected) {
            throw Errors.argument(all.routine() + ": a is " + a.rows() + " x " + a.columns()
                    + " with " + factors.length + " numbers of factors: expected no more columns"
                    + " than rows, and " + expected + " numbers as geqrf returned");
        }
        all.run(call -> {
            call.integer("M", a.rows()).integer("N", a.columns()).integer("K", a.columns());
            all.pass(call, a, "A");
            call.numbers("TAU", all.type(), factors).work("WORK", all.type());
            all.check(call, call.run(), Diagnosis.NONE, 0);
        });
    }

    static void gels(Operands all, Transpose opA, DistributedMatrix a, DistributedMatrix b) {
        Errors.required(opA, "opA");
        all.add(a, "a").add(b, "b");
        all.requireSquareBlocks(a, "a");
        all.requireSameRows(a, "a", b, "b", Math.max(a.rows(), a.columns()));
        Transpose other = all.isComplex() ? Transpose.CONJUGATED : Transpose.TRANSPOSED;
        all.run(call -> {
            call.character("TRANS", opA == Transpose.NONE ? opA.letter : other.letter)
                    .integer("M", a.rows()).integer("N", a.columns()).integer("NRHS", b.columns());
            all.pass(call, a, "A");
            all.pass(call, b, "B");
            call.work("WORK", all.type());
            all.check(call, call.run(), Diagnosis.NONE, 0);
        });
    }
}
