// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.Element;
import io.hayate.Grid;
import io.hayate.HayateException;
import io.hayate.internal.Errors;
import io.hayate.internal.FortranCall;
import io.hayate.internal.ScaLapackLibrary;
import io.hayate.internal.job.VirtualThreads;
import io.hayate.internal.scalapack.LocalPart;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The matrices of one call: checks that they fit together, and keeps their memory from being freed
 * during the call. The checks come before the call, because ScaLAPACK ends the process, or writes
 * to standard output, when it finds some of these errors itself.
 */
final class Operands {
    private final ScaLapackLibrary library;
    private final String name;
    private final List<DistributedMatrix> matrices = new ArrayList<>();
    private Grid grid;

    Operands(ScaLapackLibrary library, String name) {
        this.library = library;
        this.name = name;
    }

    /** Sets the grid on which the matrices must be; null: any. */
    Operands on(Grid expected) {
        grid = expected;
        return this;
    }

    /** Adds a matrix that must be another one than those before. */
    Operands add(DistributedMatrix matrix, String argument) {
        Errors.required(matrix, argument);
        if (matrices.contains(matrix)) {
            throw Errors.argument(name + ": " + argument + " is the same matrix as another"
                    + " argument");
        }
        return shared(matrix, argument);
    }

    /** Adds a matrix, also one of those before. */
    Operands shared(DistributedMatrix matrix, String argument) {
        Errors.required(matrix, argument);
        if (grid != null && matrix.layout().grid() != grid) {
            throw Errors.argument(name + ": " + argument + " is distributed over another grid");
        }
        if (grid != null && matrix.element() == Element.INT) {
            throw Errors.argument(name + ": " + argument + " has elements INT, expected FLOAT,"
                    + " DOUBLE, COMPLEX_FLOAT or COMPLEX_DOUBLE");
        }
        if (!matrices.isEmpty() && matrices.get(0).element() != matrix.element()) {
            throw Errors.argument(name + ": " + argument + " has elements " + matrix.element()
                    + ", the first matrix " + matrices.get(0).element());
        }
        matrices.add(matrix);
        return this;
    }

    /** Returns the letter of the elements. */
    char type() {
        return matrices.get(0).element().letter();
    }

    /** Returns the name of the routine, such as "pdgesv". */
    String routine() {
        return "p" + type() + name;
    }

    private HayateException wrong(String reason) {
        return Errors.argument(routine() + ": " + reason);
    }

    void requireReal(DistributedMatrix matrix) {
        if (matrix.element().isComplex()) {
            throw Errors.argument(name + ": the elements are " + matrix.element()
                    + ", expected FLOAT or DOUBLE");
        }
    }

    void requireSize(DistributedMatrix matrix, Transpose op, String argument, int rows,
            int columns) {
        BlockCyclic layout = matrix.layout();
        int has = op == Transpose.NONE ? layout.rows() : layout.columns();
        int hasColumns = op == Transpose.NONE ? layout.columns() : layout.rows();
        if (has != rows || hasColumns != columns) {
            throw wrong(argument + " is " + has + " x " + hasColumns + ", expected " + rows + " x "
                    + columns);
        }
    }

    void requireSquareBlocks(DistributedMatrix matrix, String argument) {
        BlockCyclic layout = matrix.layout();
        if (layout.rowBlock() != layout.columnBlock()) {
            throw wrong(argument + " has blocks of " + layout.rowBlock() + " x "
                    + layout.columnBlock() + ", expected square blocks");
        }
    }

    /** Requires a square matrix in square blocks. */
    void requireSquare(DistributedMatrix matrix, String argument) {
        BlockCyclic layout = matrix.layout();
        if (layout.rows() != layout.columns()) {
            throw wrong(argument + " is " + layout.rows() + " x " + layout.columns()
                    + ", expected a square matrix");
        }
        requireSquareBlocks(matrix, argument);
    }

    void requireSource(DistributedMatrix matrix, String argument) {
        BlockCyclic layout = matrix.layout();
        if (layout.rowSource() != 0 || layout.columnSource() != 0) {
            throw wrong("the first block of " + argument + " is on process (" + layout.rowSource()
                    + ", " + layout.columnSource() + "), expected (0, 0)");
        }
    }

    /** Requires of the second that its rows are where the rows of the first are. */
    void requireSameRows(DistributedMatrix first, String firstName, DistributedMatrix second,
            String secondName, int rows) {
        BlockCyclic a = first.layout();
        BlockCyclic b = second.layout();
        if (b.rows() != rows) {
            throw wrong(secondName + " has " + b.rows() + " rows, expected " + rows);
        }
        if (a.rowBlock() != b.rowBlock() || a.rowSource() != b.rowSource()) {
            throw wrong(secondName + " has blocks of " + b.rowBlock() + " rows from process row "
                    + b.rowSource() + ", expected " + a.rowBlock() + " from " + a.rowSource()
                    + " as " + firstName);
        }
    }

    /** Requires equal blocks and equal first processes. */
    void requireSameBlocks(DistributedMatrix first, String firstName, DistributedMatrix second,
            String secondName) {
        BlockCyclic a = first.layout();
        BlockCyclic b = second.layout();
        BlockCyclic expected = new BlockCyclic(a.grid(), b.rows(), b.columns(), a.rowBlock(),
                a.columnBlock(), a.rowSource(), a.columnSource());
        if (!b.equals(expected)) {
            throw wrong(secondName + " is " + b + ", expected blocks as " + firstName + ": "
                    + expected);
        }
    }

    void requireSameLayout(DistributedMatrix first, String firstName, DistributedMatrix second,
            String secondName) {
        if (!second.layout().equals(first.layout())) {
            throw wrong(secondName + " is " + second.layout() + ", expected the layout of "
                    + firstName + ": " + first.layout());
        }
    }

    /** Adds a whole matrix to a call. */
    void pass(FortranCall call, DistributedMatrix matrix, String argument) {
        pass(call, matrix, argument, 0);
    }

    /** Adds a matrix from a column on. */
    void pass(FortranCall call, DistributedMatrix matrix, String argument, int column) {
        call.matrix(argument, matrix.part().address(), column, matrix.layout().descriptor());
    }

    /** A virtual thread leaves the native code to a platform thread. */
    private static void runElsewhere(Runnable code) {
        VirtualThreads.await(() -> {
            code.run();
            return 0;
        });
    }

    /** Builds and runs a call while the memory of the matrices is pinned. */
    void run(Consumer<FortranCall> body) {
        List<LocalPart> pinned = new ArrayList<>();
        ScaLapackLibrary.enter(routine());
        try (FortranCall call =
                new FortranCall(library, routine(), Operands::runElsewhere)) {
            for (DistributedMatrix matrix : matrices) {
                LocalPart part = matrix.part();
                part.pin();
                pinned.add(part);
            }
            body.accept(call);
        } finally {
            pinned.forEach(LocalPart::unpin);
            ScaLapackLibrary.leave();
        }
    }

    /** Turns INFO into an exception; 0: none. */
    void check(FortranCall call, int info, Diagnosis diagnosis, int order) {
        if (info < 0) {
            throw Errors.argument(call.refused(info));
        }
        if (info > 0) {
            throw new NumericalException(routine(), info, diagnosis.of(info, order));
        }
    }
}
