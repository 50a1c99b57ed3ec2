// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.internal.errors.Errors;

/** Products of matrices: a routine of the PBLAS. */
final class Products {
    private Products() {
    }

    static void gemm(Operands all, double alpha, Transpose opA, DistributedMatrix a, Transpose opB,
            DistributedMatrix b, double beta, DistributedMatrix c) {
        Errors.required(opA, "opA");
        Errors.required(opB, "opB");
        all.add(a, "a").shared(b, "b").add(c, "c");
        int inner = opA == Transpose.NONE ? a.columns() : a.rows();
        all.requireSize(a, opA, "op(A)", c.rows(), inner);
        all.requireSize(b, opB, "op(B)", inner, c.columns());
        char type = all.type();
        all.run(call -> {
            call.character("TRANSA", opA.letter).character("TRANSB", opB.letter)
                    .integer("M", c.rows()).integer("N", c.columns()).integer("K", inner)
                    .number("ALPHA", type, alpha);
            all.pass(call, a, "A");
            all.pass(call, b, "B");
            call.number("BETA", type, beta);
            all.pass(call, c, "C");
            call.runWithoutInfo();
        });
    }
}
