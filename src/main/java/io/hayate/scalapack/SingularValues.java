// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.internal.netlib.FortranCall;
import java.util.Arrays;

/** The singular value decomposition. */
final class SingularValues {
    private SingularValues() {
    }

    static double[] gesvd(Operands all, DistributedMatrix a, DistributedMatrix u,
            DistributedMatrix vt) {
        all.add(a, "a");
        all.requireSquareBlocks(a, "a");
        all.requireSource(a, "a");
        int size = Math.min(a.rows(), a.columns());
        addVectors(all, a, u, "u", a.rows(), size);
        addVectors(all, a, vt, "vt", size, a.columns());
        all.requireFinite(a, "a", null);
        double[][] values = new double[1][];
        all.run(call -> {
            call.character("JOBU", u == null ? 'N' : 'V').character("JOBVT", vt == null ? 'N' : 'V')
                    .integer("M", a.rows()).integer("N", a.columns());
            all.pass(call, a, "A");
            FortranCall.Array s = call.array("S", all.realType(), size);
            all.pass(call, u == null ? a : u, "U");
            all.pass(call, vt == null ? a : vt, "VT");
            call.work("WORK", all.type());
            if (all.isComplex()) {
                call.array("RWORK", all.realType(), 1 + 4L * Math.max(a.rows(), a.columns()));
            }
            int info = call.run();
            values[0] = s.numbers();
            boolean ignored = info == size + 1 && mayDiffer(a, u, vt)
                    && Arrays.stream(values[0]).allMatch(Double::isFinite);
            all.check(call, ignored ? 0 : info, Diagnosis.SINGULAR_VALUE, size);
        });
        return values[0];
    }

    /**
     * Returns whether the values of the processes may differ by rounding, which pdgesvd takes for
     * an error. Each process computes them with its rows of U and columns of V^T; one that gets
     * neither uses another algorithm, that of dlasq1.
     */
    private static boolean mayDiffer(DistributedMatrix a, DistributedMatrix u,
            DistributedMatrix vt) {
        int processes = a.layout().grid().rows() * a.layout().grid().columns();
        return (u != null || vt != null) && (u == null || a.rows() < processes)
                && (vt == null || a.columns() < processes);
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
