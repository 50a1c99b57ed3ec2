// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.fmpl.ReduceOp;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A reduction operation on elements of one type. The names of the constants consist of the type and
 * the operation. INT, LONG, FLOAT and DOUBLE are the types of Java; COMPLEX_FLOAT and
 * COMPLEX_DOUBLE are complex numbers of two floats or doubles, the real part first.
 *
 * <p>The operations:
 * <ul>
 * <li>SUM and PROD: sum and product. Those of integers wrap around.
 * <li>MAX and MIN: the largest and the smallest element. 0.0 is larger than -0.0.
 * <li>ABS_MAX and ABS_MIN: the element of the largest and of the smallest <em>absolute</em> value,
 *     with its sign. If absolute values are equal, the algebraically larger element (of complex
 *     numbers: the larger real part, then the larger imaginary part). The absolute value of a
 *     complex number is |re| + |im|.
 * <li>LAND, LOR and LXOR: logical and, or, and exclusive or; the result is 0 or 1. BAND, BOR and
 *     BXOR: the same for each bit.
 * <li>MAX_LOC, MIN_LOC, ABS_MAX_LOC and ABS_MIN_LOC: the same as MAX, MIN, ABS_MAX and ABS_MIN,
 *     with the location of the element. Of elements with equal values, or equal absolute values,
 *     the one with the smallest location.
 * </ul>
 *
 * <p>An element of a reduction with locations is a pair: the value, at byte 0, and an int that
 * tells where the value is from, such as a rank or an index, at byte {@link #locationOffset()}. A
 * pair has {@link #elementBytes()} bytes. Its bytes behind the location have no meaning.
 *
 * <table>
 * <caption>The layout of pairs</caption>
 * <tr><th>type of the value</th><th>offset of the location</th><th>bytes of a pair</th></tr>
 * <tr><td>INT, FLOAT</td><td>4</td><td>8</td></tr>
 * <tr><td>LONG, DOUBLE</td><td>8</td><td>16</td></tr>
 * <tr><td>COMPLEX_FLOAT</td><td>8</td><td>12</td></tr>
 * <tr><td>COMPLEX_DOUBLE</td><td>16</td><td>24</td></tr>
 * </table>
 *
 * <p>If an element is NaN (of a complex number: if one of its parts is), the result is NaN (both
 * parts), in minima, too. With locations, it has the smallest location of a NaN. Except for SUM and
 * PROD of floating-point numbers, which may be rounded differently, no result depends on the number
 * or the order of the ranks.
 *
 * <p>Any number of threads may use it, in several collectives at once.
 */
public final class Reduction implements AutoCloseable {
    private static final int NONE = -1;

    /** Sum of ints. */
    public static final Reduction INT_SUM = new Reduction(0, 4, NONE);
    /** Product of ints. */
    public static final Reduction INT_PROD = new Reduction(1, 4, NONE);
    /** Largest int. */
    public static final Reduction INT_MAX = new Reduction(2, 4, NONE);
    /** Smallest int. */
    public static final Reduction INT_MIN = new Reduction(3, 4, NONE);
    /** Int of the largest absolute value. */
    public static final Reduction INT_ABS_MAX = new Reduction(4, 4, NONE);
    /** Int of the smallest absolute value. */
    public static final Reduction INT_ABS_MIN = new Reduction(5, 4, NONE);
    /** Whether all ints are other than 0: 1 or 0. */
    public static final Reduction INT_LAND = new Reduction(6, 4, NONE);
    /** Whether any int is other than 0: 1 or 0. */
    public static final Reduction INT_LOR = new Reduction(7, 4, NONE);
    /** Whether an odd number of ints are other than 0: 1 or 0. */
    public static final Reduction INT_LXOR = new Reduction(8, 4, NONE);
    /** And of the bits of ints. */
    public static final Reduction INT_BAND = new Reduction(9, 4, NONE);
    /** Or of the bits of ints. */
    public static final Reduction INT_BOR = new Reduction(10, 4, NONE);
    /** Exclusive or of the bits of ints. */
    public static final Reduction INT_BXOR = new Reduction(11, 4, NONE);
    /** Largest int, with its location. */
    public static final Reduction INT_MAX_LOC = new Reduction(12, 8, 4);
    /** Smallest int, with its location. */
    public static final Reduction INT_MIN_LOC = new Reduction(13, 8, 4);
    /** Int of the largest absolute value, with its location. */
    public static final Reduction INT_ABS_MAX_LOC = new Reduction(14, 8, 4);
    /** Int of the smallest absolute value, with its location. */
    public static final Reduction INT_ABS_MIN_LOC = new Reduction(15, 8, 4);
    /** Sum of longs. */
    public static final Reduction LONG_SUM = new Reduction(16, 8, NONE);
    /** Product of longs. */
    public static final Reduction LONG_PROD = new Reduction(17, 8, NONE);
    /** Largest long. */
    public static final Reduction LONG_MAX = new Reduction(18, 8, NONE);
    /** Smallest long. */
    public static final Reduction LONG_MIN = new Reduction(19, 8, NONE);
    /** Long of the largest absolute value. */
    public static final Reduction LONG_ABS_MAX = new Reduction(20, 8, NONE);
    /** Long of the smallest absolute value. */
    public static final Reduction LONG_ABS_MIN = new Reduction(21, 8, NONE);
    /** Whether all longs are other than 0: 1 or 0. */
    public static final Reduction LONG_LAND = new Reduction(22, 8, NONE);
    /** Whether any long is other than 0: 1 or 0. */
    public static final Reduction LONG_LOR = new Reduction(23, 8, NONE);
    /** Whether an odd number of longs are other than 0: 1 or 0. */
    public static final Reduction LONG_LXOR = new Reduction(24, 8, NONE);
    /** And of the bits of longs. */
    public static final Reduction LONG_BAND = new Reduction(25, 8, NONE);
    /** Or of the bits of longs. */
    public static final Reduction LONG_BOR = new Reduction(26, 8, NONE);
    /** Exclusive or of the bits of longs. */
    public static final Reduction LONG_BXOR = new Reduction(27, 8, NONE);
    /** Largest long, with its location. */
    public static final Reduction LONG_MAX_LOC = new Reduction(28, 16, 8);
    /** Smallest long, with its location. */
    public static final Reduction LONG_MIN_LOC = new Reduction(29, 16, 8);
    /** Long of the largest absolute value, with its location. */
    public static final Reduction LONG_ABS_MAX_LOC = new Reduction(30, 16, 8);
    /** Long of the smallest absolute value, with its location. */
    public static final Reduction LONG_ABS_MIN_LOC = new Reduction(31, 16, 8);
    /** Sum of floats. */
    public static final Reduction FLOAT_SUM = new Reduction(32, 4, NONE);
    /** Product of floats. */
    public static final Reduction FLOAT_PROD = new Reduction(33, 4, NONE);
    /** Largest float. */
    public static final Reduction FLOAT_MAX = new Reduction(34, 4, NONE);
    /** Smallest float. */
    public static final Reduction FLOAT_MIN = new Reduction(35, 4, NONE);
    /** Float of the largest absolute value. */
    public static final Reduction FLOAT_ABS_MAX = new Reduction(36, 4, NONE);
    /** Float of the smallest absolute value. */
    public static final Reduction FLOAT_ABS_MIN = new Reduction(37, 4, NONE);
    /** Largest float, with its location. */
    public static final Reduction FLOAT_MAX_LOC = new Reduction(38, 8, 4);
    /** Smallest float, with its location. */
    public static final Reduction FLOAT_MIN_LOC = new Reduction(39, 8, 4);
    /** Float of the largest absolute value, with its location. */
    public static final Reduction FLOAT_ABS_MAX_LOC = new Reduction(40, 8, 4);
    /** Float of the smallest absolute value, with its location. */
    public static final Reduction FLOAT_ABS_MIN_LOC = new Reduction(41, 8, 4);
    /** Sum of doubles. */
    public static final Reduction DOUBLE_SUM = new Reduction(42, 8, NONE);
    /** Product of doubles. */
    public static final Reduction DOUBLE_PROD = new Reduction(43, 8, NONE);
    /** Largest double. */
    public static final Reduction DOUBLE_MAX = new Reduction(44, 8, NONE);
    /** Smallest double. */
    public static final Reduction DOUBLE_MIN = new Reduction(45, 8, NONE);
    /** Double of the largest absolute value. */
    public static final Reduction DOUBLE_ABS_MAX = new Reduction(46, 8, NONE);
    /** Double of the smallest absolute value. */
    public static final Reduction DOUBLE_ABS_MIN = new Reduction(47, 8, NONE);
    /** Largest double, with its location. */
    public static final Reduction DOUBLE_MAX_LOC = new Reduction(48, 16, 8);
    /** Smallest double, with its location. */
    public static final Reduction DOUBLE_MIN_LOC = new Reduction(49, 16, 8);
    /** Double of the largest absolute value, with its location. */
    public static final Reduction DOUBLE_ABS_MAX_LOC = new Reduction(50, 16, 8);
    /** Double of the smallest absolute value, with its location. */
    public static final Reduction DOUBLE_ABS_MIN_LOC = new Reduction(51, 16, 8);
    /** Sum of complex floats. */
    public static final Reduction COMPLEX_FLOAT_SUM = new Reduction(52, 8, NONE);
    /** Product of complex floats. */
    public static final Reduction COMPLEX_FLOAT_PROD = new Reduction(53, 8, NONE);
    /** Complex float of the largest absolute value. */
    public static final Reduction COMPLEX_FLOAT_ABS_MAX = new Reduction(54, 8, NONE);
    /** Complex float of the smallest absolute value. */
    public static final Reduction COMPLEX_FLOAT_ABS_MIN = new Reduction(55, 8, NONE);
    /** Complex float of the largest absolute value, with its location. */
    public static final Reduction COMPLEX_FLOAT_ABS_MAX_LOC = new Reduction(56, 12, 8);
    /** Complex float of the smallest absolute value, with its location. */
    public static final Reduction COMPLEX_FLOAT_ABS_MIN_LOC = new Reduction(57, 12, 8);
    /** Sum of complex doubles. */
    public static final Reduction COMPLEX_DOUBLE_SUM = new Reduction(58, 16, NONE);
    /** Product of complex doubles. */
    public static final Reduction COMPLEX_DOUBLE_PROD = new Reduction(59, 16, NONE);
    /** Complex double of the largest absolute value. */
    public static final Reduction COMPLEX_DOUBLE_ABS_MAX = new Reduction(60, 16, NONE);
    /** Complex double of the smallest absolute value. */
    public static final Reduction COMPLEX_DOUBLE_ABS_MIN = new Reduction(61, 16, NONE);
    /** Complex double of the largest absolute value, with its location. */
    public static final Reduction COMPLEX_DOUBLE_ABS_MAX_LOC = new Reduction(62, 24, 16);
    /** Complex double of the smallest absolute value, with its location. */
    public static final Reduction COMPLEX_DOUBLE_ABS_MIN_LOC = new Reduction(63, 24, 16);

    /**
     * The same as {@link #INT_SUM}.
     *
     * @deprecated use {@link #INT_SUM}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction ISUM = INT_SUM;
    /**
     * The same as {@link #INT_ABS_MAX}.
     *
     * @deprecated use {@link #INT_ABS_MAX}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction IMAX = INT_ABS_MAX;
    /**
     * The same as {@link #INT_ABS_MIN}.
     *
     * @deprecated use {@link #INT_ABS_MIN}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction IMIN = INT_ABS_MIN;
    /**
     * The same as {@link #FLOAT_SUM}.
     *
     * @deprecated use {@link #FLOAT_SUM}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction SSUM = FLOAT_SUM;
    /**
     * The same as {@link #FLOAT_ABS_MAX}.
     *
     * @deprecated use {@link #FLOAT_ABS_MAX}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction SMAX = FLOAT_ABS_MAX;
    /**
     * The same as {@link #FLOAT_ABS_MIN}.
     *
     * @deprecated use {@link #FLOAT_ABS_MIN}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction SMIN = FLOAT_ABS_MIN;
    /**
     * The same as {@link #DOUBLE_SUM}.
     *
     * @deprecated use {@link #DOUBLE_SUM}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction DSUM = DOUBLE_SUM;
    /**
     * The same as {@link #DOUBLE_ABS_MAX}.
     *
     * @deprecated use {@link #DOUBLE_ABS_MAX}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction DMAX = DOUBLE_ABS_MAX;
    /**
     * The same as {@link #DOUBLE_ABS_MIN}.
     *
     * @deprecated use {@link #DOUBLE_ABS_MIN}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction DMIN = DOUBLE_ABS_MIN;
    /**
     * The same as {@link #COMPLEX_FLOAT_SUM}.
     *
     * @deprecated use {@link #COMPLEX_FLOAT_SUM}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction CSUM = COMPLEX_FLOAT_SUM;
    /**
     * The same as {@link #COMPLEX_FLOAT_ABS_MAX}.
     *
     * @deprecated use {@link #COMPLEX_FLOAT_ABS_MAX}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction CMAX = COMPLEX_FLOAT_ABS_MAX;
    /**
     * The same as {@link #COMPLEX_FLOAT_ABS_MIN}.
     *
     * @deprecated use {@link #COMPLEX_FLOAT_ABS_MIN}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction CMIN = COMPLEX_FLOAT_ABS_MIN;
    /**
     * The same as {@link #COMPLEX_DOUBLE_SUM}.
     *
     * @deprecated use {@link #COMPLEX_DOUBLE_SUM}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction ZSUM = COMPLEX_DOUBLE_SUM;
    /**
     * The same as {@link #COMPLEX_DOUBLE_ABS_MAX}.
     *
     * @deprecated use {@link #COMPLEX_DOUBLE_ABS_MAX}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction ZMAX = COMPLEX_DOUBLE_ABS_MAX;
    /**
     * The same as {@link #COMPLEX_DOUBLE_ABS_MIN}.
     *
     * @deprecated use {@link #COMPLEX_DOUBLE_ABS_MIN}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction ZMIN = COMPLEX_DOUBLE_ABS_MIN;
    /**
     * The same as {@link #LONG_SUM}.
     *
     * @deprecated use {@link #LONG_SUM}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction LSUM = LONG_SUM;
    /**
     * The same as {@link #LONG_ABS_MAX}.
     *
     * @deprecated use {@link #LONG_ABS_MAX}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction LMAX = LONG_ABS_MAX;
    /**
     * The same as {@link #LONG_ABS_MIN}.
     *
     * @deprecated use {@link #LONG_ABS_MIN}
     */
    @Deprecated(forRemoval = true)
    public static final Reduction LMIN = LONG_ABS_MIN;

    private final ReduceOp op;
    private final int locationOffset;

    private Reduction(int operation, int elementBytes, int locationOffset) {
        this(new ReduceOp(operation, elementBytes), locationOffset);
    }

    private Reduction(ReduceOp op, int locationOffset) {
        this.op = op;
        this.locationOffset = locationOffset;
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
                ReduceOp.of(Errors.required(fmpl, "fmpl").context(), elementBytes, reducer), NONE);
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
     * Returns where the location is in an element of a reduction with locations.
     *
     * @return bytes from the beginning of the element; -1 if the elements have no locations
     */
    public int locationOffset() {
        return locationOffset;
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
