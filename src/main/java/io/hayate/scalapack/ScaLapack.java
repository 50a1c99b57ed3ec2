// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.ArgumentException;
import io.hayate.BusyException;
import io.hayate.ClosedException;
import io.hayate.Element;
import io.hayate.Grid;
import io.hayate.NativeLoadException;
import io.hayate.internal.BlacsSetupBinding;
import io.hayate.internal.Errors;
import io.hayate.internal.FortranCall;
import io.hayate.internal.ScaLapackLibrary;
import java.util.Arrays;

/**
 * The routines of ScaLAPACK on a grid of processes.
 *
 * <p>Every call is collective: all processes of the grid make the same calls in the same order,
 * with the same values and with their parts of the same matrices. A call may return before other
 * processes have made theirs. If a process dies during a call, or another thread closes its job,
 * ScaLAPACK cannot return: the BLACS write a message to standard error, and end the processes of
 * the grid.
 *
 * <p>The matrices of a call must be on the grid of this object and have elements of one type:
 * float, double, or complex numbers of these. Their shapes must fit, which a call checks before it
 * begins. Most routines need square blocks; two matrices whose rows belong together must have the
 * same blocks of rows and the same source. Unless a method says otherwise, no two arguments may be
 * the same matrix.
 *
 * <p>ScaLAPACK serves one thread of a process at a time; a second one gets {@link BusyException}.
 * All calls throw:
 * <ul>
 * <li>{@link ArgumentException} if an argument is null or does not fit, or if ScaLAPACK refuses an
 *     argument (INFO &lt; 0); the text names the argument
 * <li>{@link NumericalException} if the values of a matrix prevent the result (INFO &gt; 0)
 * <li>{@link ClosedException} if the grid, a matrix or its memory is closed
 * <li>{@link BusyException} if another thread of this process is in a call
 * </ul>
 */
public final class ScaLapack {
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final ScaLapackLibrary library;
    private final Grid grid;

    private ScaLapack(ScaLapackLibrary library, Grid grid) {
        this.library = library;
        this.grid = grid;
    }

    /**
     * Loads libscalapack at the first call, and returns its routines on a grid. It looks for the
     * names under which distributions install it, or loads the file that {@code HAYATE_SCALAPACK}
     * or {@code -Dhayate.scalapack} names. If the library uses OpenBLAS, that gets one thread in
     * this process, unless OPENBLAS_NUM_THREADS or OMP_NUM_THREADS is set. Local.
     *
     * @param grid the processes, a {@link io.hayate.BlacsGrid}; this process must be one of them
     * @return the routines
     * @throws NativeLoadException if the library is missing (the text names the package), was
     *     compiled for 64-bit integers, or does not call Hayate's BLACS
     * @throws ArgumentException if grid is null, or this process is not in it
     * @throws ClosedException if the grid is closed
     */
    public static ScaLapack on(Grid grid) {
        Errors.required(grid, "grid");
        if (grid.row() < 0) {
            throw Errors.argument("this process is not in the grid: only its " + grid.rows() + " x "
                    + grid.columns() + " processes can call ScaLAPACK on it");
        }
        int context = grid.context();
        ScaLapackLibrary library = ScaLapackLibrary.load();
        int[] place = new int[4];
        BlacsSetupBinding.blacsGridInfo(context, place);
        if (!Arrays.equals(place, new int[] {grid.rows(), grid.columns(), grid.row(),
            grid.column()})) {
            throw Errors.argument("the grid is not one of the BLACS of this process: expected a"
                    + " BlacsGrid that is open");
        }
        library.check(context);
        return new ScaLapack(library, grid);
    }

    /**
     * Returns the grid.
     *
     * @return the processes that make the calls
     */
    public Grid grid() {
        return grid;
    }

    // ---- products and norms ----

    /**
     * Multiplies matrices: C := alpha op(A) op(B) + beta C. Calls pdgemm or the like of another
     * type. A and B may be the same matrix. Blocks may be of any size.
     *
     * @param alpha a real factor
     * @param opA what is done to A before
     * @param a the matrix A
     * @param opB what is done to B before
     * @param b the matrix B
     * @param beta a real factor; 0: C need not have values before
     * @param c the matrix C, which is changed
     */
    public void gemm(double alpha, Transpose opA, DistributedMatrix a, Transpose opB,
            DistributedMatrix b, double beta, DistributedMatrix c) {
        Errors.required(opA, "opA");
        Errors.required(opB, "opB");
        Operands all = operands("gemm").add(a, "a").shared(b, "b").add(c, "c");
        int inner = opA == Transpose.NONE ? columns(a) : rows(a);
        all.requireSize(a, opA, "op(A)", rows(c), inner);
        all.requireSize(b, opB, "op(B)", inner, columns(c));
        char type = all.type();
        all.run(call -> {
            call.character("TRANSA", opA.letter).character("TRANSB", opB.letter)
                    .integer("M", rows(c)).integer("N", columns(c)).integer("K", inner)
                    .number("ALPHA", type, alpha);
            all.pass(call, a, "A");
            all.pass(call, b, "B");
            call.number("BETA", type, beta);
            all.pass(call, c, "C");
            call.runWithoutInfo();
        });
    }

    /**
     * Computes a norm. Calls pdlange or the like of another type. Blocks may be of any size.
     *
     * @param norm which norm
     * @param a the matrix
     * @return the norm, on all processes
     */
    public double norm(Norm norm, DistributedMatrix a) {
        Errors.required(norm, "norm");
        Operands all = operands("lange").add(a, "a");
        double[] result = new double[1];
        all.run(call -> {
            call.character("NORM", norm.letter).integer("M", rows(a)).integer("N", columns(a));
            all.pass(call, a, "A");
            BlockCyclic layout = a.layout();
            call.array("WORK", real(a), layout.localRows() + layout.localColumns() + 1);
            result[0] = call.runFunction(all.type());
        });
        return result[0];
    }

    // ---- linear systems ----

    /**
     * Solves A X = B by an LU factorisation with row interchanges. Calls pdgesv or the like of
     * another type.
     *
     * @param a the matrix A, square, in square blocks; becomes its factors L and U
     * @param b the right-hand sides B, a column each, in the same blocks of rows; becomes X
     * @return the row interchanges, with which {@link #getrs} solves more systems
     * @throws NumericalException if U has an exact zero on its diagonal: the matrix is singular;
     *     B is unchanged
     */
    public Pivots gesv(DistributedMatrix a, DistributedMatrix b) {
        Operands all = operands("gesv").add(a, "a").add(b, "b");
        all.requireSquare(a, "a");
        all.requireSameRows(a, "a", b, "b", rows(a));
        int[][] pivots = new int[1][];
        all.run(call -> {
            call.integer("N", rows(a)).integer("NRHS", columns(b));
            all.pass(call, a, "A");
            FortranCall.Array rows = call.array("IPIV", 'i', pivotCount(a));
            all.pass(call, b, "B");
            all.check(call, call.run(), Diagnosis.SINGULAR, rows(a));
            pivots[0] = rows.ints();
        });
        return new Pivots(a.layout(), pivots[0]);
    }

    /**
     * Factors A = P L U with row interchanges. Calls pdgetrf or the like of another type.
     *
     * @param a the matrix A, square or not, in square blocks; becomes its factors L (without its
     *     diagonal of ones) and U
     * @return the row interchanges
     * @throws NumericalException if U has an exact zero on its diagonal; the factors are complete,
     *     but a solution would divide by zero
     */
    public Pivots getrf(DistributedMatrix a) {
        Operands all = operands("getrf").add(a, "a");
        all.requireSquareBlocks(a, "a");
        int[][] pivots = new int[1][];
        all.run(call -> {
            call.integer("M", rows(a)).integer("N", columns(a));
            all.pass(call, a, "A");
            FortranCall.Array rows = call.array("IPIV", 'i', pivotCount(a));
            all.check(call, call.run(), Diagnosis.SINGULAR, rows(a));
            pivots[0] = rows.ints();
        });
        return new Pivots(a.layout(), pivots[0]);
    }

    private static int pivotCount(DistributedMatrix a) {
        return a.layout().localRows() + a.layout().rowBlock();
    }

    /**
     * Solves op(A) X = B with the factors of {@link #getrf} or {@link #gesv}. Calls pdgetrs or the
     * like of another type.
     *
     * @param opA which system: A, its transposed or its conjugated transposed matrix
     * @param a the factors of a square matrix
     * @param pivots the row interchanges of the factorisation
     * @param b the right-hand sides B, a column each, in the same blocks of rows; becomes X
     */
    public void getrs(Transpose opA, DistributedMatrix a, Pivots pivots, DistributedMatrix b) {
        Errors.required(opA, "opA");
        Errors.required(pivots, "pivots");
        Operands all = operands("getrs").add(a, "a").add(b, "b");
        all.requireSquare(a, "a");
        all.requireSameRows(a, "a", b, "b", rows(a));
        if (!pivots.layout.equals(a.layout())) {
            throw Errors.argument("pivots of a matrix " + pivots.layout + ": a is " + a.layout());
        }
        all.run(call -> {
            call.character("TRANS", opA.letter).integer("N", rows(a)).integer("NRHS", columns(b));
            all.pass(call, a, "A");
            call.ints("IPIV", pivots.rows);
            all.pass(call, b, "B");
            all.check(call, call.run(), Diagnosis.NONE, 0);
        });
    }

    /**
     * Factors a symmetric (complex: Hermitian) positive definite matrix: A = L L^T or U^T U. Calls
     * pdpotrf or the like of another type.
     *
     * @param triangle which triangle of A is used, and becomes the factor
     * @param a the matrix A, square, in square blocks
     * @throws NumericalException if a leading minor of A is not positive definite
     */
    public void potrf(Triangle triangle, DistributedMatrix a) {
        Errors.required(triangle, "triangle");
        Operands all = operands("potrf").add(a, "a");
        all.requireSquare(a, "a");
        all.run(call -> {
            call.character("UPLO", triangle.letter).integer("N", rows(a));
            all.pass(call, a, "A");
            all.check(call, call.run(), Diagnosis.NOT_DEFINITE, rows(a));
        });
    }

    /**
     * Solves A X = B with the factor of {@link #potrf}. Calls pdpotrs or the like of another type.
     *
     * @param triangle the triangle that was factored
     * @param a the factor
     * @param b the right-hand sides B, a column each, in the same blocks of rows; becomes X
     */
    public void potrs(Triangle triangle, DistributedMatrix a, DistributedMatrix b) {
        Errors.required(triangle, "triangle");
        Operands all = operands("potrs").add(a, "a").add(b, "b");
        all.requireSquare(a, "a");
        all.requireSameRows(a, "a", b, "b", rows(a));
        all.run(call -> {
            call.character("UPLO", triangle.letter).integer("N", rows(a))
                    .integer("NRHS", columns(b));
            all.pass(call, a, "A");
            all.pass(call, b, "B");
            all.check(call, call.run(), Diagnosis.NONE, 0);
        });
    }

    // ---- orthogonal factors, least squares ----

    /**
     * Factors A = Q R with an orthogonal (unitary) Q. Calls pdgeqrf or the like of another type.
     *
     * @param a the matrix A, in blocks of any size; its upper triangle becomes R, and what is below
     *     describes Q
     * @return the factors of the elementary reflectors of Q in the columns of this process, for
     *     {@link #orgqr}; complex ones are pairs of values
     */
    public double[] geqrf(DistributedMatrix a) {
        Operands all = operands("geqrf").add(a, "a");
        double[][] factors = new double[1][];
        all.run(call -> {
            call.integer("M", rows(a)).integer("N", columns(a));
            all.pass(call, a, "A");
            FortranCall.Array tau = call.array("TAU", all.type(), reflectors(a));
            call.work("WORK", all.type());
            all.check(call, call.run(), Diagnosis.NONE, 0);
            factors[0] = tau.numbers();
        });
        return factors[0];
    }

    /** Returns how many reflectors begin in the columns of this process. */
    private static int reflectors(DistributedMatrix a) {
        BlockCyclic layout = a.layout();
        return BlockCyclic.numroc(Math.min(layout.rows(), layout.columns()), layout.columnBlock(),
                layout.grid().column(), layout.columnSource(), layout.grid().columns());
    }

    /**
     * Computes the first columns of Q from the result of {@link #geqrf}. Calls pdorgqr, or pzungqr
     * for complex elements, or the like of another type.
     *
     * @param a the result of geqrf of a matrix with no more columns than rows; becomes the columns
     *     of Q
     * @param factors what geqrf returned
     */
    public void orgqr(DistributedMatrix a, double... factors) {
        Errors.required(factors, "factors");
        Operands all = operands(a != null && a.element().isComplex() ? "ungqr" : "orgqr")
                .add(a, "a");
        int expected = reflectors(a) * (a.element().isComplex() ? 2 : 1);
        if (columns(a) > rows(a) || factors.length != expected) {
            throw Errors.argument(all.routine() + ": a is " + rows(a) + " x " + columns(a)
                    + " with " + factors.length + " numbers of factors: expected no more columns"
                    + " than rows, and " + expected + " numbers as geqrf returned");
        }
        all.run(call -> {
            call.integer("M", rows(a)).integer("N", columns(a)).integer("K", columns(a));
            all.pass(call, a, "A");
            call.numbers("TAU", all.type(), factors).work("WORK", all.type());
            all.check(call, call.run(), Diagnosis.NONE, 0);
        });
    }

    /**
     * Solves an overdetermined system op(A) X = B in the sense of least squares, or finds the
     * solution of the smallest norm of an underdetermined one. A must have full rank, which is not
     * checked. Calls pdgels or the like of another type.
     *
     * @param opA A itself, or its transposed (complex: conjugated transposed) matrix
     * @param a the matrix A, in square blocks; is overwritten
     * @param b the right-hand sides, a column each, in the same blocks of rows. It has as many rows
     *     as the larger side of A: the right-hand sides are in the first rows of op(A), the
     *     solutions will be in the first columns of op(A) rows
     */
    public void gels(Transpose opA, DistributedMatrix a, DistributedMatrix b) {
        Errors.required(opA, "opA");
        Operands all = operands("gels").add(a, "a").add(b, "b");
        all.requireSquareBlocks(a, "a");
        all.requireSameRows(a, "a", b, "b", Math.max(rows(a), columns(a)));
        Transpose other = a.element().isComplex() ? Transpose.CONJUGATED : Transpose.TRANSPOSED;
        all.run(call -> {
            call.character("TRANS", opA == Transpose.NONE ? opA.letter : other.letter)
                    .integer("M", rows(a)).integer("N", columns(a)).integer("NRHS", columns(b));
            all.pass(call, a, "A");
            all.pass(call, b, "B");
            call.work("WORK", all.type());
            all.check(call, call.run(), Diagnosis.NONE, 0);
        });
    }

    // ---- eigenvalues and singular values ----

    /**
     * Computes all eigenvalues of a real symmetric matrix, and its eigenvectors if they are wanted,
     * by QR iterations. Calls pdsyev or pssyev.
     *
     * @param triangle which triangle of A is used
     * @param a the matrix A, square, in square blocks from process (0, 0); is overwritten
     * @param z becomes the eigenvectors, a column each, in the layout of A; null: none are wanted
     * @return the eigenvalues in ascending order, on all processes
     * @throws NumericalException if an eigenvalue does not converge
     */
    public double[] syev(Triangle triangle, DistributedMatrix a, DistributedMatrix z) {
        return eigenvalues("syev", triangle, a, z);
    }

    /**
     * Computes all eigenvalues and eigenvectors of a real symmetric matrix, by divide and conquer:
     * faster than {@link #syev} for large matrices. Calls pdsyevd or pssyevd.
     *
     * @param triangle which triangle of A is used
     * @param a the matrix A, square, in square blocks from process (0, 0); is overwritten
     * @param z becomes the eigenvectors, a column each, in the layout of A
     * @return the eigenvalues in ascending order, on all processes
     * @throws NumericalException if an eigenvalue does not converge
     */
    public double[] syevd(Triangle triangle, DistributedMatrix a, DistributedMatrix z) {
        Errors.required(z, "z");
        return eigenvalues("syevd", triangle, a, z);
    }

    private double[] eigenvalues(String name, Triangle triangle, DistributedMatrix a,
            DistributedMatrix z) {
        Errors.required(triangle, "triangle");
        Operands all = operands(name).add(a, "a");
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
                    .integer("N", rows(a));
            all.pass(call, a, "A");
            FortranCall.Array w = call.array("W", all.type(), rows(a));
            all.pass(call, z == null ? a : z, "Z");
            call.work("WORK", all.type());
            if (name.equals("syevd")) {
                call.work("IWORK", 'i');
            }
            all.check(call, call.run(), Diagnosis.EIGENVALUE, rows(a));
            values[0] = w.numbers();
        });
        return values[0];
    }

    /**
     * Computes the singular values of a real matrix A = U S V^T, and the singular vectors that are
     * wanted. Calls pdgesvd or psgesvd.
     *
     * @param a the matrix A, in square blocks from process (0, 0); is overwritten
     * @param u becomes the left singular vectors: as many rows as A, as many columns as there are
     *     singular values, blocks as A; null: none are wanted
     * @param vt becomes the right singular vectors, transposed: as many rows as there are singular
     *     values, as many columns as A, blocks as A; null: none are wanted
     * @return the singular values in descending order, on all processes
     * @throws NumericalException if the iteration does not converge
     */
    public double[] gesvd(DistributedMatrix a, DistributedMatrix u, DistributedMatrix vt) {
        Operands all = operands("gesvd").add(a, "a");
        all.requireReal(a);
        all.requireSquareBlocks(a, "a");
        all.requireSource(a, "a");
        int size = Math.min(rows(a), columns(a));
        addVectors(all, a, u, "u", rows(a), size);
        addVectors(all, a, vt, "vt", size, columns(a));
        double[][] values = new double[1][];
        all.run(call -> {
            call.character("JOBU", u == null ? 'N' : 'V').character("JOBVT", vt == null ? 'N' : 'V')
                    .integer("M", rows(a)).integer("N", columns(a));
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

    // ---- movement of matrices ----

    /**
     * Copies a matrix into another layout, also on another grid. Calls pdgemr2d or the like of
     * another type. The grid of this object must contain all processes of both grids, and all of
     * its processes make the call. Elements may also be ints.
     *
     * @param from the source
     * @param to the destination, of the same size and type
     */
    public void copy(DistributedMatrix from, DistributedMatrix to) {
        moved(from, to).requireSize(to, Transpose.NONE, "to", rows(from), columns(from));
        copy(from, 0, to, 0, columns(from));
    }

    private void copy(DistributedMatrix from, int fromColumn, DistributedMatrix to, int toColumn,
            int columns) {
        Operands all = moved(from, to);
        all.run(call -> {
            call.integer("M", rows(from)).integer("N", columns);
            all.pass(call, from, "A", fromColumn);
            all.pass(call, to, "B", toColumn);
            call.integer("ICTXT", grid.context()).runWithoutInfo();
        });
    }

    /**
     * Distributes a matrix that process (0, 0) has in an array.
     *
     * @param values on process (0, 0) the elements, column by column, complex ones as pairs; on the
     *     other processes ignored, also null
     * @param to the distributed matrix, also of ints. If this call fails on process (0, 0) alone,
     *     the other processes wait until that process leaves the job
     */
    public void scatter(double[] values, DistributedMatrix to) {
        Panel panel = panel(to);
        if (panel.isHere() && Errors.required(values, "values").length != Panel.numbersOf(to)) {
            throw Errors.argument(values.length + " values: expected " + Panel.numbersOf(to));
        }
        for (int column = 0; column < columns(to); column += panel.width()) {
            int width = Math.min(panel.width(), columns(to) - column);
            if (panel.isHere()) {
                panel.put(values, column, width);
            }
            copy(panel.matrix(), 0, to, column, width);
        }
    }

    /**
     * Collects a distributed matrix in an array of process (0, 0).
     *
     * @param from the distributed matrix, also of ints
     * @return on process (0, 0) the elements, column by column, complex ones as pairs; null on the
     *     other processes
     * @throws ArgumentException also if an array cannot hold so many elements
     */
    public double[] gather(DistributedMatrix from) {
        Panel panel = panel(from);
        if (Panel.numbersOf(from) > LONGEST_ARRAY) {
            throw Errors.argument(from.layout() + ": an array has at most " + LONGEST_ARRAY
                    + " elements");
        }
        double[] values = panel.isHere() ? new double[(int) Panel.numbersOf(from)] : null;
        for (int column = 0; column < columns(from); column += panel.width()) {
            int width = Math.min(panel.width(), columns(from) - column);
            copy(from, column, panel.matrix(), 0, width);
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

    private Operands moved(DistributedMatrix from, DistributedMatrix to) {
        return operands("gemr2d").on(null).add(from, "from").add(to, "to");
    }

    private Operands operands(String name) {
        return new Operands(library, name).on(grid);
    }

    /** Returns the number of rows of an argument. */
    private static int rows(DistributedMatrix matrix) {
        return matrix.layout().rows();
    }

    private static int columns(DistributedMatrix matrix) {
        return matrix.layout().columns();
    }

    /** Returns the type of the absolute values. */
    private static char real(DistributedMatrix matrix) {
        Element element = matrix.element();
        return element == Element.FLOAT || element == Element.COMPLEX_FLOAT ? 's' : 'd';
    }
}
