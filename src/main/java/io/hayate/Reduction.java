// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.fmpl.ReduceOp;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A reduction operation on elements of one type. The first letter of a name is the type of the
 * elements: I {@code int}, L {@code long}, S {@code float}, D {@code double}, C and Z complex
 * numbers of two floats or doubles. SUM adds; MAX and MIN take the element with the largest or
 * smallest <em>absolute</em> value, with its sign. If absolute values are equal, they take the
 * algebraically larger element (for C and Z: the larger real part, then the larger imaginary part).
 * The absolute value of C and Z is |re| + |im|.
 *
 * <p>Any number of threads may use it, in several collectives at once.
 */
public final class Reduction implements AutoCloseable {
    /** Sum of ints. */
    public static final Reduction ISUM = new Reduction(0, 4);
    /** Int of the largest absolute value. */
    public static final Reduction IMAX = new Reduction(1, 4);
    /** Int of the smallest absolute value. */
    public static final Reduction IMIN = new Reduction(2, 4);
    /** Sum of floats. */
    public static final Reduction SSUM = new Reduction(3, 4);
    /** Float of the largest absolute value. */
    public static final Reduction SMAX = new Reduction(4, 4);
    /** Float of the smallest absolute value. */
    public static final Reduction SMIN = new Reduction(5, 4);
    /** Sum of doubles. */
    public static final Reduction DSUM = new Reduction(6, 8);
    /** Double of the largest absolute value. */
    public static final Reduction DMAX = new Reduction(7, 8);
    /** Double of the smallest absolute value. */
    public static final Reduction DMIN = new Reduction(8, 8);
    /** Sum of complex floats. */
    public static final Reduction CSUM = new Reduction(9, 8);
    /** Complex float of the largest absolute value. */
    public static final Reduction CMAX = new Reduction(10, 8);
    /** Complex float of the smallest absolute value. */
    public static final Reduction CMIN = new Reduction(11, 8);
    /** Sum of complex doubles. */
    public static final Reduction ZSUM = new Reduction(12, 16);
    /** Complex double of the largest absolute value. */
    public static final Reduction ZMAX = new Reduction(13, 16);
    /** Complex double of the smallest absolute value. */
    public static final Reduction ZMIN = new Reduction(14, 16);
    /** Sum of longs. */
    public static final Reduction LSUM = new Reduction(15, 8);
    /** Long of the largest absolute value. */
    public static final Reduction LMAX = new Reduction(16, 8);
    /** Long of the smallest absolute value. */
    public static final Reduction LMIN = new Reduction(17, 8);

    private final ReduceOp op;

    private Reduction(int operation, int elementBytes) {
        this(new ReduceOp(operation, elementBytes));
    }

    private Reduction(ReduceOp op) {
        this.op = op;
    }

    /** Returns the operation of an argument, which must not be null. */
    static ReduceOp op(Reduction reduction) {
        return Errors.required(reduction, "reduction").op;
    }

    /**
     * Creates a custom reduction. All ranks must create their custom reductions in the same order,
     * so that they agree on their numbers.
     *
     * @param fmpl the FMPL that will use it
     * @param elementBytes size of an element, 1 to 4096
     * @param reducer the operation
     * @return the reduction; the caller closes it
     * @throws ArgumentException if an argument is null or out of range
     * @throws MemoryExhaustedException if 64 custom reductions are open
     * @throws ClosedException if the Fmpl is closed
     */
    public static Reduction of(Fmpl fmpl, int elementBytes, Reducer reducer) {
        return new Reduction(
                ReduceOp.of(Errors.required(fmpl, "fmpl").context(), elementBytes, reducer));
    }

    /**
     * Returns the size of an element.
     *
     * @return bytes
     */
    public int elementBytes() {
        return op.elementBytes();
    }

    /**
     * Releases a custom reducer; idempotent. It does nothing for the constants.
     *
     * @throws BusyException if a collective or a persistent operation is using it
     */
    @Override
    public void close() {
        op.close();
    }
}
