// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.internal.FortranCall;

/** The singular value decomposition. */
final class SingularValues {
    private SingularValues() {
    }

    static double[] gesvd(Operands all, DistributedMatrix a, DistributedMatrix u,
            DistributedMatrix vt) {
        all.add(a, "a");
        all.requireReal(a);
        all.requireSquareBlocks(a, "a");
        all.requireSource(a, "a");
        int size = Math.min(a.rows(), a.columns());
        addVectors(all, a, u, "u", a.rows(), size);
        addVectors(all, a, vt, "vt", size, a.columns());
        double[][] values = new double[1][];
        all.run(call -> {
            call.character("JOBU", u == null ? 'N' : 'V').character("JOBVT", vt == null ? 'N' : 'V')
                    .integer("M", a.rows()).integer("N", a.columns());
            all.pass(call, a, "A");
            FortranCall.Array s = call.array("S", all.type(), size);
            all.pass(call, u == null ? a : u, "U");
            all.pass(call, vt == null ? a : vt, "VT");
            call.work("WORK", all.type());
            all.check(call, call.run(), Diagnosis.SINGULAR_VALUE, size);
            values[0] = s.numbers();
        });
        return values[0];
    }

    private static void addVectors(Operands all, DistributedMatrix a, DistributedMatrix vectors,
            String name, int rows, int columns) {
        if (vectors != null) {
            all.add(vectors, name);
            all.requireSize(vectors, Transpose.NONE, name, rows, columns);
            all.requireSameBlocks(a, "a", vectors, name);
        }
    }
}
