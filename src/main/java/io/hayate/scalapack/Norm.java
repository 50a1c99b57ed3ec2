// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

/** A norm of a matrix. */
public enum Norm {
    /** The largest absolute value of an element; not a norm that is consistent. */
    MAX('M'),
    /** The largest sum of absolute values of a column. */
    ONE('1'),
    /** The largest sum of absolute values of a row. */
    INFINITY('I'),
    /** The square root of the sum of squares of all elements. */
    FROBENIUS('F');

    private final char letter;

    Norm(char letter) {
        this.letter = letter;
    }

    double of(Operands all, DistributedMatrix a) {
        all.add(a, "a");
        double[] result = new double[1];
        all.run(call -> {
            call.character("NORM", letter).integer("M", a.rows()).integer("N", a.columns());
            all.pass(call, a, "A");
            BlockCyclic layout = a.layout();
            call.array("WORK", all.realType(), 1L + layout.rowOffset() + layout.localRows()
                    + layout.columnOffset() + layout.localColumns());
            result[0] = call.runFunction(all.type());
        });
        return result[0];
    }
}
