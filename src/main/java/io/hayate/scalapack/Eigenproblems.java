// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.internal.Errors;
import io.hayate.internal.FortranCall;
import java.util.function.Consumer;

/** Eigenvalues and eigenvectors of symmetric matrices. */
final class Eigenproblems {
    private Eigenproblems() {
    }

    /** Calls pdsyev; without eigenvectors if z is null. */
    static double[] qr(Operands all, Triangle triangle, DistributedMatrix a, DistributedMatrix z) {
        return solve(all, triangle, a, z, call -> call.work("WORK", all.type()));
    }

    /** Calls pdsyevd. */
    static double[] divideAndConquer(Operands all, Triangle triangle, DistributedMatrix a,
            DistributedMatrix z) {
        return solve(all, triangle, a, Errors.required(z, "z"),
                call -> call.work("WORK", all.type()).work("IWORK", 'i'));
    }

    private static double[] solve(Operands all, Triangle triangle, DistributedMatrix a,
            DistributedMatrix z, Consumer<FortranCall> addWork) {
        Errors.required(triangle, "triangle");
        all.add(a, "a");
        all.requireReal(a);
        all.requireSquare(a, "a");
        all.requireSource(a, "a");
        if (z != null) {
            all.add(z, "z");
            all.requireSameLayout(a, "a", z, "z");
        }
        double[][] values = new double[1][];
        all.run(call -> {
            call.character("JOBZ", z == null ? 'N' : 'V').character("UPLO", triangle.letter)
                    .integer("N", a.rows());
            all.pass(call, a, "A");
            FortranCall.Array w = call.array("W", all.type(), a.rows());
            all.pass(call, z == null ? a : z, "Z");
            addWork.accept(call);
            all.check(call, call.run(), Diagnosis.EIGENVALUE, a.rows());
            values[0] = w.numbers();
        });
        return values[0];
    }
}
