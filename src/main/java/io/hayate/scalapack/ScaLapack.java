// SPDX-License-Identifier: Apache-2.0
package io.hayate.scalapack;

import io.hayate.ArgumentException;
import io.hayate.BusyException;
import io.hayate.ClosedException;
import io.hayate.Grid;
import io.hayate.NativeLoadException;
import io.hayate.internal.bindings.BlacsSetupBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.netlib.ScaLapackLibrary;
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
 * same blocks of rows and the same source. Blocks of more than about 20000 rows or columns are
 * refused, because ScaLAPACK computes the lengths of work arrays as ints. Unless a method says
 * otherwise, no two arguments may be the same matrix or overlap.
 *
 * <p>An argument may be a {@linkplain DistributedMatrix#block block} of a matrix: the submatrix
 * A(IA:IA+M-1, JA:JA+N-1) of ScaLAPACK's manuals. {@link #gemm}, {@link #norm}, {@link #geqrf},
 * {@link #orgqr}, {@link #copy}, {@link #scatter} and {@link #gather} take a block that begins
 * anywhere. In the other calls, a block begins at a row and a column that are multiples of the rows
 * and columns of the blocks of the distribution; the right-hand sides may begin at any column.
 * Blocks of one matrix can be several arguments of a call.
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
        requireOfBlacs(grid);
        library.check(context);
        return new ScaLapack(library, grid);
    }

    /** Requires that the grid is what the BLACS know of its context, if this process is in it. */
    static void requireOfBlacs(Grid grid) {
        int context = grid.context();
        int[] place = new int[4];
        BlacsSetupBinding.blacsGridInfo(context, place);
        int[] expected = {grid.rows(), grid.columns(), grid.row(), grid.column()};
        if ((context >= 0 || grid.row() >= 0) && !Arrays.equals(place, expected)) {
            throw Errors.argument("the grid is not one of the BLACS of this process: expected a"
                    + " BlacsGrid that is open");
        }
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
        Products.gemm(operands("gemm"), alpha, opA, a, opB, b, beta, c);
    }

    /**
     * Computes a norm. Calls pdlange or the like of another type. Blocks may be of any size.
     *
     * @param norm which norm
     * @param a the matrix
     * @return the norm, on all processes
     */
    public double norm(Norm norm, DistributedMatrix a) {
        return Errors.required(norm, "norm").of(operands("lange"), a);
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
        return LinearEquations.gesv(operands("gesv"), a, b);
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
        return LinearEquations.getrf(operands("getrf"), a);
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
        LinearEquations.getrs(operands("getrs"), opA, a, pivots, b);
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
        LinearEquations.potrf(operands("potrf"), triangle, a);
    }

    /**
     * Solves A X = B with the factor of {@link #potrf}. Calls pdpotrs or the like of another type.
     *
     * @param triangle the triangle that was factored
     * @param a the factor
     * @param b the right-hand sides B, a column each, in the same blocks of rows; becomes X
     */
    public void potrs(Triangle triangle, DistributedMatrix a, DistributedMatrix b) {
        LinearEquations.potrs(operands("potrs"), triangle, a, b);
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
        return LeastSquares.geqrf(operands("geqrf"), a);
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
        LeastSquares.orgqr(operands("orgqr", "ungqr"), a, factors);
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
        LeastSquares.gels(operands("gels"), opA, a, b);
    }

    // ---- eigenvalues and singular values ----

    /**
     * Computes all eigenvalues of a symmetric (complex: Hermitian) matrix, and its eigenvectors if
     * they are wanted, by QR iterations. Calls pdsyev, or pzheev for complex elements, or the like
     * of another type.
     *
     * @param triangle which triangle of A is used; the diagonal of a Hermitian one is real
     * @param a the matrix A, square, in square blocks, of finite numbers; is overwritten
     * @param z becomes the eigenvectors, a column each, in the layout of A; null: none are wanted
     * @return the eigenvalues in ascending order, on all processes
     * @throws NumericalException if an eigenvalue does not converge
     */
    public double[] syev(Triangle triangle, DistributedMatrix a, DistributedMatrix z) {
        return Eigenproblems.qr(operands("syev", "heev"), triangle, a, z);
    }

    /**
     * Computes all eigenvalues and eigenvectors of a symmetric (complex: Hermitian) matrix, by
     * divide and conquer: faster than {@link #syev} for large matrices. Calls pdsyevd, or pzheevd
     * for complex elements, or the like of another type; for a matrix of one block, syev.
     *
     * @param triangle which triangle of A is used; the diagonal of a Hermitian one is real
     * @param a the matrix A, square, in square blocks from process (0, 0), of finite numbers; is
     *     overwritten
     * @param z becomes the eigenvectors, a column each, in the layout of A
     * @return the eigenvalues in ascending order, on all processes
     * @throws NumericalException if an eigenvalue does not converge
     */
    public double[] syevd(Triangle triangle, DistributedMatrix a, DistributedMatrix z) {
        Errors.required(z, "z");
        if (Eigenproblems.isOneBlock(Errors.required(a, "a"))) {
            return syev(triangle, a, z);
        }
        return Eigenproblems.divideAndConquer(operands("syevd", "heevd"), triangle, a, z);
    }

    /**
     * Computes the singular values of a matrix A = U S V^T (complex: U S V^H), and the singular
     * vectors that are wanted. Calls pdgesvd or the like of another type.
     *
     * @param a the matrix A, in square blocks from process (0, 0), of finite numbers; is
     *     overwritten
     * @param u becomes the left singular vectors: as many rows as A, as many columns as there are
     *     singular values, blocks as A; null: none are wanted
     * @param vt becomes the right singular vectors, transposed (complex: conjugated, too): as many
     *     rows as there are singular values, as many columns as A, blocks as A; null: none are
     *     wanted
     * @return the singular values in descending order, on all processes. If singular vectors are
     *     wanted of a matrix that has fewer rows and columns than the grid has processes, those of
     *     two processes may differ by rounding
     * @throws NumericalException if the iteration does not converge
     */
    public double[] gesvd(DistributedMatrix a, DistributedMatrix u, DistributedMatrix vt) {
        return SingularValues.gesvd(operands("gesvd"), a, u, vt);
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
        redistribution().copy(from, to);
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
        redistribution().scatter(values, to);
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
        return redistribution().gather(from);
    }

    private Redistribution redistribution() {
        return new Redistribution(grid, () -> new Operands(library, "gemr2d", "gemr2d"));
    }

    private Operands operands(String name) {
        return operands(name, name);
    }

    /** Begins a call of a routine that has another name for complex matrices. */
    private Operands operands(String name, String complexName) {
        return new Operands(library, name, complexName).on(grid);
    }
}
