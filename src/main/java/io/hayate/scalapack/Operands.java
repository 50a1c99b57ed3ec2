// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.Element;
import io.hayate.Grid;
import io.hayate.HayateException;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.VirtualThreads;
import io.hayate.internal.netlib.FortranCall;
import io.hayate.internal.netlib.ScaLapackLibrary;
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
    private final String complexName;
    private final List<DistributedMatrix> matrices = new ArrayList<>();
    private Grid grid;

    /** Begins a call of a routine, whose name may be another one for complex matrices. */
    Operands(ScaLapackLibrary library, String name, String complexName) {
        this.library = library;
        this.name = name;
        this.complexName = complexName;
    }

    /** Sets the grid on which the matrices must be; null: any. */
    Operands on(Grid expected) {
        grid = expected;
        return this;
    }

    /** Adds a matrix that has no element in common with those before. */
    Operands add(DistributedMatrix matrix, String argument) {
        Errors.required(matrix, argument);
        if (matrices.stream().anyMatch(matrix::overlaps)) {
            throw Errors.argument(name + ": " + argument + " is the same matrix as another"
                    + " argument, or overlaps with it");
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
        if (grid != null) {
            requireIntsForWork(matrix.layout(), argument);
        }
        if (!matrices.isEmpty() && matrices.get(0).element() != matrix.element()) {
            throw Errors.argument(name + ": " + argument + " has elements " + matrix.element()
                    + ", the first matrix " + matrices.get(0).element());
        }
        matrices.add(matrix);
        return this;
    }

    /**
     * Requires that ScaLAPACK can compute the lengths of work arrays, which are ints and grow with
     * the square of the blocks: with a length that overflowed it would write beyond their ends.
     */
    private void requireIntsForWork(BlockCyclic layout, String argument) {
        long block = Math.max(layout.rowBlock(), layout.columnBlock());
        if (layout.mostRowsAndColumns() + 2 * block > Integer.MAX_VALUE / block) {
            throw Errors.argument(name + ": " + argument + " has blocks of " + layout.rowBlock()
                    + " x " + layout.columnBlock() + ": ScaLAPACK cannot compute the length of its"
                    + " work space as an int; expected smaller blocks, 32 to 128 are usual");
        }
    }

    /** Returns the letter of the elements. */
    char type() {
        return matrices.get(0).element().letter();
    }

    boolean isComplex() {
        return matrices.get(0).element().isComplex();
    }

    /** Returns the letter of the real numbers of the same precision. */
    char realType() {
        return switch (type()) {
            case 's', 'c' -> 's';
            default -> 'd';
        };
    }

    /** Returns the name of the routine, such as "pdgesv". */
    String routine() {
        return "p" + type() + (isComplex() ? complexName : name);
    }

    private HayateException wrong(String reason) {
        return Errors.argument(routine() + ": " + reason);
    }

    void requireSize(DistributedMatrix matrix, Transpose op, String argument, int rows,
            int columns) {
        int has = op == Transpose.NONE ? matrix.rows() : matrix.columns();
        int hasColumns = op == Transpose.NONE ? matrix.columns() : matrix.rows();
        if (has != rows || hasColumns != columns) {
            throw wrong(argument + " is " + has + " x " + hasColumns + ", expected " + rows + " x "
                    + columns);
        }
    }

    /** Requires square blocks, the first of which is complete. */
    void requireSquareBlocks(DistributedMatrix matrix, String argument) {
        BlockCyclic layout = matrix.layout();
        if (layout.rowBlock() != layout.columnBlock()) {
            throw wrong(argument + " has blocks of " + layout.rowBlock() + " x "
                    + layout.columnBlock() + ", expected square blocks");
        }
        requireComplete(argument, "row", layout.rowOffset(), layout.rowBlock());
        requireComplete(argument, "column", layout.columnOffset(), layout.columnBlock());
    }

    private void requireComplete(String argument, String what, int offset, int block) {
        if (offset != 0) {
            throw wrong(argument + " begins at " + what + " " + offset + " of a block of " + block
                    + ": a part of a matrix must begin at a multiple of " + block
                    + " in this call");
        }
    }

    /** Requires a square matrix in square blocks. */
    void requireSquare(DistributedMatrix matrix, String argument) {
        if (matrix.rows() != matrix.columns()) {
            throw wrong(argument + " is " + matrix.rows() + " x " + matrix.columns()
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

    /**
     * Requires of the second that its rows are where the rows of the first are, whose first block
     * is complete.
     */
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
        requireComplete(secondName, "row", b.rowOffset(), b.rowBlock());
    }

    /** Requires equal blocks and equal first processes. */
    void requireSameBlocks(DistributedMatrix first, String firstName, DistributedMatrix second,
            String secondName) {
        BlockCyclic a = first.layout();
        BlockCyclic b = second.layout();
        BlockCyclic expected = new BlockCyclic(a.grid(), b.rows(), b.columns(), a.rowBlock(),
                a.columnBlock(), a.rowSource(), a.columnSource(), a.rowOffset(), a.columnOffset());
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

    /**
     * Requires that the Frobenius norm is a finite number, also of the matrix that a triangle
     * describes. With other values, LAPACK ends the process in some of its iterations, and some
     * routines return them as results. All processes compute the norm together.
     */
    void requireFinite(DistributedMatrix matrix, String argument, Triangle triangle) {
        Operands norm = triangle == null ? new Operands(library, "lange", "lange")
                : new Operands(library, "lansy", "lanhe");
        norm.shared(matrix, argument).run(call -> {
            call.character("NORM", 'F');
            if (triangle == null) {
                call.integer("M", matrix.rows());
            } else {
                call.character("UPLO", triangle.letter);
            }
            call.integer("N", matrix.columns());
            pass(call, matrix, "A");
            call.array("WORK", realType(), 1);
            if (!Double.isFinite(call.runFunction(type()))) {
                throw wrong(argument + " has elements that are not finite numbers, or so large"
                        + " that its norm is not finite");
            }
        });
    }

    /** Adds a matrix to a call. */
    void pass(FortranCall call, DistributedMatrix matrix, String argument) {
        BlockCyclic layout = matrix.layout();
        call.matrix(argument, matrix.address(), layout.rowOffset() + 1, layout.columnOffset() + 1,
                matrix.descriptor());
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
