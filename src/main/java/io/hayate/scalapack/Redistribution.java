// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.Grid;
import io.hayate.internal.errors.Errors;
import java.util.function.Supplier;

/** Copies of matrices: between layouts and grids, from and to an array of process (0, 0). */
final class Redistribution {
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final Grid grid;
    private final Supplier<Operands> operands;

    /** Takes the grid of the processes that make the calls, and what begins a call. */
    Redistribution(Grid grid, Supplier<Operands> operands) {
        this.grid = grid;
        this.operands = operands;
    }

    void copy(DistributedMatrix from, DistributedMatrix to) {
        Operands all = operands.get().add(from, "from").add(to, "to");
        all.requireSize(to, Transpose.NONE, "to", from.rows(), from.columns());
        ScaLapack.requireOfBlacs(from.layout().grid());
        ScaLapack.requireOfBlacs(to.layout().grid());
        all.run(call -> {
            call.integer("M", from.rows()).integer("N", from.columns());
            all.pass(call, from, "A");
            all.pass(call, to, "B");
            call.integer("ICTXT", grid.context()).runWithoutInfo();
        });
    }

    void scatter(double[] values, DistributedMatrix to) {
        Panel panel = panel(to);
        if (panel.isHere() && Errors.required(values, "values").length != Panel.numbersOf(to)) {
            throw Errors.argument(values.length + " values: expected " + Panel.numbersOf(to));
        }
        for (int column = 0; column < to.columns(); column += panel.width()) {
            int width = Math.min(panel.width(), to.columns() - column);
            if (panel.isHere()) {
                panel.put(values, column, width);
            }
            copy(panel.columns(width), to.block(0, column, to.rows(), width));
        }
    }

    double[] gather(DistributedMatrix from) {
        Panel panel = panel(from);
        if (Panel.numbersOf(from) > LONGEST_ARRAY) {
            throw Errors.argument(from.layout() + ": an array has at most " + LONGEST_ARRAY
                    + " elements");
        }
        double[] values = panel.isHere() ? new double[(int) Panel.numbersOf(from)] : null;
        for (int column = 0; column < from.columns(); column += panel.width()) {
            int width = Math.min(panel.width(), from.columns() - column);
            copy(from.block(0, column, from.rows(), width), panel.columns(width));
            if (values != null) {
                panel.take(values, column, width);
            }
        }
        return values;
    }

    private Panel panel(DistributedMatrix matrix) {
        if (Errors.required(matrix, "matrix").layout().grid() != grid) {
            throw Errors.argument("the matrix is distributed over another grid");
        }
        return new Panel(matrix);
    }
}
