// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.fmpl.ReduceOp;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How elements are reduced. The letter is their type: I {@code int}, L {@code long},
 * S {@code float}, D {@code double}, C and Z complex of two floats or doubles. SUM adds; MAX and
 * MIN take the element of largest or smallest <em>absolute</em> value, with its sign. Of equal
 * absolute values they take the algebraically larger one (of C and Z: larger real, then imaginary
 * part). The absolute value of C and Z is |re| + |im|.
 *
 * <p>Any thread may use it, in several collectives at once.
 */
public final class Reduction implements AutoCloseable {
    /** Sum of ints. */
    public static final Reduction ISUM = new Reduction(0, 4);
    /** Int of largest absolute value. */
    public static final Reduction IMAX = new Reduction(1, 4);
    /** Int of smallest absolute value. */
    public static final Reduction IMIN = new Reduction(2, 4);
    /** Sum of floats. */
    public static final Reduction SSUM = new Reduction(3, 4);
    /** Float of largest absolute value. */
    public static final Reduction SMAX = new Reduction(4, 4);
    /** Float of smallest absolute value. */
    public static final Reduction SMIN = new Reduction(5, 4);
    /** Sum of doubles. */
    public static final Reduction DSUM = new Reduction(6, 8);
    /** Double of largest absolute value. */
    public static final Reduction DMAX = new Reduction(7, 8);
    /** Double of smallest absolute value. */
    public static final Reduction DMIN = new Reduction(8, 8);
    /** Sum of complex floats. */
    public static final Reduction CSUM = new Reduction(9, 8);
    /** Complex float of largest absolute value. */
    public static final Reduction CMAX = new Reduction(10, 8);
    /** Complex float of smallest absolute value. */
    public static final Reduction CMIN = new Reduction(11, 8);
    /** Sum of complex doubles. */
    public static final Reduction ZSUM = new Reduction(12, 16);
    /** Complex double of largest absolute value. */
    public static final Reduction ZMAX = new Reduction(13, 16);
    /** Complex double of smallest absolute value. */
    public static final Reduction ZMIN = new Reduction(14, 16);
    /** Sum of longs. */
    public static final Reduction LSUM = new Reduction(15, 8);
    /** Long of largest absolute value. */
    public static final Reduction LMAX = new Reduction(16, 8);
    /** Long of smallest absolute value. */
    public static final Reduction LMIN = new Reduction(17, 8);

    private final ReduceOp op;

    private Reduction(int operation, int elementBytes) {
        this(new ReduceOp(operation, elementBytes));
    }

    private Reduction(ReduceOp op) {
        this.op = op;
    }

    /** Of a reduction that a program has passed. */
    static ReduceOp op(Reduction reduction) {
        return Errors.required(reduction, "reduction").op;
    }

    /**
     * A user's reduction. All ranks make theirs in the same order, so that they agree on its
     * number.
     *
     * @param fmpl where it will be used
     * @param elementBytes size of an element, 1 to 4096
     * @param reducer what it does
     * @return the reduction, to be closed
     * @throws ArgumentException if an argument is null or out of range
     * @throws MemoryExhaustedException if 64 are alive
     * @throws ClosedException if the Fmpl is closed
     */
    public static Reduction of(Fmpl fmpl, int elementBytes, Reducer reducer) {
        return new Reduction(
                ReduceOp.of(Errors.required(fmpl, "fmpl").context(), elementBytes, reducer));
    }

    /**
     * Size of an element.
     *
     * @return bytes
     */
    public int elementBytes() {
        return op.elementBytes();
    }

    /**
     * Gives the user function up. Does nothing for the constants; idempotent.
     *
     * @throws BusyException if a collective or a persistent operation is using it
     */
    @Override
    public void close() {
        op.close();
    }
}
