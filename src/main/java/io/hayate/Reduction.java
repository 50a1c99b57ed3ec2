// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static io.hayate.Element.BOOLEAN;
import static io.hayate.Element.BYTE;
import static io.hayate.Element.CHAR;
import static io.hayate.Element.COMPLEX_DOUBLE;
import static io.hayate.Element.COMPLEX_FLOAT;
import static io.hayate.Element.DOUBLE;
import static io.hayate.Element.FLOAT;
import static io.hayate.Element.INT;
import static io.hayate.Element.LONG;
import static io.hayate.Element.SHORT;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.ReduceOp;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A reduction operation on elements of one type. The names of the constants consist of the type and
 * the operation. INT, LONG, FLOAT, DOUBLE, BYTE, SHORT, CHAR and BOOLEAN are the types of Java;
 * COMPLEX_FLOAT and COMPLEX_DOUBLE are complex numbers of two floats or doubles, the real part
 * first. Chars are numbers without a sign. BYTE, SHORT and CHAR have no ABS_MAX and ABS_MIN, BYTE
 * and CHAR no locations; BOOLEAN has LAND, LOR and LXOR only.
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
 * <tr><td>SHORT, INT, FLOAT</td><td>4</td><td>8</td></tr>
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
 * <p>A span whose elements have another type ({@link Span#as}, or an array of this type) is refused
 * with an {@link ArgumentException} that names both. Complex numbers can be in an array of their
 * parts. Custom reductions accept any span.
 *
 * <p>Any number of threads may use it, in several collectives at once.
 */
public final class Reduction implements AutoCloseable {
    private static final int NONE = -1;

    /** Sum of ints. */
    public static final Reduction INT_SUM = new Reduction(0, INT, "SUM");
    /** Product of ints. */
    public static final Reduction INT_PROD = new Reduction(1, INT, "PROD");
    /** Largest int. */
    public static final Reduction INT_MAX = new Reduction(2, INT, "MAX");
    /** Smallest int. */
    public static final Reduction INT_MIN = new Reduction(3, INT, "MIN");
    /** Int of the largest absolute value. */
    public static final Reduction INT_ABS_MAX = new Reduction(4, INT, "ABS_MAX");
    /** Int of the smallest absolute value. */
    public static final Reduction INT_ABS_MIN = new Reduction(5, INT, "ABS_MIN");
    /** Whether all ints are other than 0: 1 or 0. */
    public static final Reduction INT_LAND = new Reduction(6, INT, "LAND");
    /** Whether any int is other than 0: 1 or 0. */
    public static final Reduction INT_LOR = new Reduction(7, INT, "LOR");
    /** Whether an odd number of ints are other than 0: 1 or 0. */
    public static final Reduction INT_LXOR = new Reduction(8, INT, "LXOR");
    /** And of the bits of ints. */
    public static final Reduction INT_BAND = new Reduction(9, INT, "BAND");
    /** Or of the bits of ints. */
    public static final Reduction INT_BOR = new Reduction(10, INT, "BOR");
    /** Exclusive or of the bits of ints. */
    public static final Reduction INT_BXOR = new Reduction(11, INT, "BXOR");
    /** Largest int, with its location. */
    public static final Reduction INT_MAX_LOC = new Reduction(12, INT, "MAX_LOC");
    /** Smallest int, with its location. */
    public static final Reduction INT_MIN_LOC = new Reduction(13, INT, "MIN_LOC");
    /** Int of the largest absolute value, with its location. */
    public static final Reduction INT_ABS_MAX_LOC = new Reduction(14, INT, "ABS_MAX_LOC");
    /** Int of the smallest absolute value, with its location. */
    public static final Reduction INT_ABS_MIN_LOC = new Reduction(15, INT, "ABS_MIN_LOC");
    /** Sum of longs. */
    public static final Reduction LONG_SUM = new Reduction(16, LONG, "SUM");
    /** Product of longs. */
    public static final Reduction LONG_PROD = new Reduction(17, LONG, "PROD");
    /** Largest long. */
    public static final Reduction LONG_MAX = new Reduction(18, LONG, "MAX");
    /** Smallest long. */
    public static final Reduction LONG_MIN = new Reduction(19, LONG, "MIN");
    /** Long of the largest absolute value. */
    public static final Reduction LONG_ABS_MAX = new Reduction(20, LONG, "ABS_MAX");
    /** Long of the smallest absolute value. */
    public static final Reduction LONG_ABS_MIN = new Reduction(21, LONG, "ABS_MIN");
    /** Whether all longs are other than 0: 1 or 0. */
    public static final Reduction LONG_LAND = new Reduction(22, LONG, "LAND");
    /** Whether any long is other than 0: 1 or 0. */
    public static final Reduction LONG_LOR = new Reduction(23, LONG, "LOR");
    /** Whether an odd number of longs are other than 0: 1 or 0. */
    public static final Reduction LONG_LXOR = new Reduction(24, LONG, "LXOR");
    /** And of the bits of longs. */
    public static final Reduction LONG_BAND = new Reduction(25, LONG, "BAND");
    /** Or of the bits of longs. */
    public static final Reduction LONG_BOR = new Reduction(26, LONG, "BOR");
    /** Exclusive or of the bits of longs. */
    public static final Reduction LONG_BXOR = new Reduction(27, LONG, "BXOR");
    /** Largest long, with its location. */
    public static final Reduction LONG_MAX_LOC = new Reduction(28, LONG, "MAX_LOC");
    /** Smallest long, with its location. */
    public static final Reduction LONG_MIN_LOC = new Reduction(29, LONG, "MIN_LOC");
    /** Long of the largest absolute value, with its location. */
    public static final Reduction LONG_ABS_MAX_LOC = new Reduction(30, LONG, "ABS_MAX_LOC");
    /** Long of the smallest absolute value, with its location. */
    public static final Reduction LONG_ABS_MIN_LOC = new Reduction(31, LONG, "ABS_MIN_LOC");
    /** Sum of floats. */
    public static final Reduction FLOAT_SUM = new Reduction(32, FLOAT, "SUM");
    /** Product of floats. */
    public static final Reduction FLOAT_PROD = new Reduction(33, FLOAT, "PROD");
    /** Largest float. */
    public static final Reduction FLOAT_MAX = new Reduction(34, FLOAT, "MAX");
    /** Smallest float. */
    public static final Reduction FLOAT_MIN = new Reduction(35, FLOAT, "MIN");
    /** Float of the largest absolute value. */
    public static final Reduction FLOAT_ABS_MAX = new Reduction(36, FLOAT, "ABS_MAX");
    /** Float of the smallest absolute value. */
    public static final Reduction FLOAT_ABS_MIN = new Reduction(37, FLOAT, "ABS_MIN");
    /** Largest float, with its location. */
    public static final Reduction FLOAT_MAX_LOC = new Reduction(38, FLOAT, "MAX_LOC");
    /** Smallest float, with its location. */
    public static final Reduction FLOAT_MIN_LOC = new Reduction(39, FLOAT, "MIN_LOC");
    /** Float of the largest absolute value, with its location. */
    public static final Reduction FLOAT_ABS_MAX_LOC = new Reduction(40, FLOAT, "ABS_MAX_LOC");
    /** Float of the smallest absolute value, with its location. */
    public static final Reduction FLOAT_ABS_MIN_LOC = new Reduction(41, FLOAT, "ABS_MIN_LOC");
    /** Sum of doubles. */
    public static final Reduction DOUBLE_SUM = new Reduction(42, DOUBLE, "SUM");
    /** Product of doubles. */
    public static final Reduction DOUBLE_PROD = new Reduction(43, DOUBLE, "PROD");
    /** Largest double. */
    public static final Reduction DOUBLE_MAX = new Reduction(44, DOUBLE, "MAX");
    /** Smallest double. */
    public static final Reduction DOUBLE_MIN = new Reduction(45, DOUBLE, "MIN");
    /** Double of the largest absolute value. */
    public static final Reduction DOUBLE_ABS_MAX = new Reduction(46, DOUBLE, "ABS_MAX");
    /** Double of the smallest absolute value. */
    public static final Reduction DOUBLE_ABS_MIN = new Reduction(47, DOUBLE, "ABS_MIN");
    /** Largest double, with its location. */
    public static final Reduction DOUBLE_MAX_LOC = new Reduction(48, DOUBLE, "MAX_LOC");
    /** Smallest double, with its location. */
    public static final Reduction DOUBLE_MIN_LOC = new Reduction(49, DOUBLE, "MIN_LOC");
    /** Double of the largest absolute value, with its location. */
    public static final Reduction DOUBLE_ABS_MAX_LOC = new Reduction(50, DOUBLE, "ABS_MAX_LOC");
    /** Double of the smallest absolute value, with its location. */
    public static final Reduction DOUBLE_ABS_MIN_LOC = new Reduction(51, DOUBLE, "ABS_MIN_LOC");
    /** Sum of complex floats. */
    public static final Reduction COMPLEX_FLOAT_SUM = new Reduction(52, COMPLEX_FLOAT, "SUM");
    /** Product of complex floats. */
    public static final Reduction COMPLEX_FLOAT_PROD = new Reduction(53, COMPLEX_FLOAT, "PROD");
    /** Complex float of the largest absolute value. */
    public static final Reduction COMPLEX_FLOAT_ABS_MAX =
            new Reduction(54, COMPLEX_FLOAT, "ABS_MAX");
    /** Complex float of the smallest absolute value. */
    public static final Reduction COMPLEX_FLOAT_ABS_MIN =
            new Reduction(55, COMPLEX_FLOAT, "ABS_MIN");
    /** Complex float of the largest absolute value, with its location. */
    public static final Reduction COMPLEX_FLOAT_ABS_MAX_LOC =
            new Reduction(56, COMPLEX_FLOAT, "ABS_MAX_LOC");
    /** Complex float of the smallest absolute value, with its location. */
    public static final Reduction COMPLEX_FLOAT_ABS_MIN_LOC =
            new Reduction(57, COMPLEX_FLOAT, "ABS_MIN_LOC");
    /** Sum of complex doubles. */
    public static final Reduction COMPLEX_DOUBLE_SUM = new Reduction(58, COMPLEX_DOUBLE, "SUM");
    /** Product of complex doubles. */
    public static final Reduction COMPLEX_DOUBLE_PROD = new Reduction(59, COMPLEX_DOUBLE, "PROD");
    /** Complex double of the largest absolute value. */
    public static final Reduction COMPLEX_DOUBLE_ABS_MAX =
            new Reduction(60, COMPLEX_DOUBLE, "ABS_MAX");
    /** Complex double of the smallest absolute value. */
    public static final Reduction COMPLEX_DOUBLE_ABS_MIN =
            new Reduction(61, COMPLEX_DOUBLE, "ABS_MIN");
    /** Complex double of the largest absolute value, with its location. */
    public static final Reduction COMPLEX_DOUBLE_ABS_MAX_LOC =
            new Reduction(62, COMPLEX_DOUBLE, "ABS_MAX_LOC");
    /** Complex double of the smallest absolute value, with its location. */
    public static final Reduction COMPLEX_DOUBLE_ABS_MIN_LOC =
            new Reduction(63, COMPLEX_DOUBLE, "ABS_MIN_LOC");
    /** Sum of bytes. */
    public static final Reduction BYTE_SUM = new Reduction(64, BYTE, "SUM");
    /** Product of bytes. */
    public static final Reduction BYTE_PROD = new Reduction(65, BYTE, "PROD");
    /** Largest byte. */
    public static final Reduction BYTE_MAX = new Reduction(66, BYTE, "MAX");
    /** Smallest byte. */
    public static final Reduction BYTE_MIN = new Reduction(67, BYTE, "MIN");
    /** Whether all bytes are other than 0: 1 or 0. */
    public static final Reduction BYTE_LAND = new Reduction(68, BYTE, "LAND");
    /** Whether any byte is other than 0: 1 or 0. */
    public static final Reduction BYTE_LOR = new Reduction(69, BYTE, "LOR");
    /** Whether an odd number of bytes are other than 0: 1 or 0. */
    public static final Reduction BYTE_LXOR = new Reduction(70, BYTE, "LXOR");
    /** And of the bits of bytes. */
    public static final Reduction BYTE_BAND = new Reduction(71, BYTE, "BAND");
    /** Or of the bits of bytes. */
    public static final Reduction BYTE_BOR = new Reduction(72, BYTE, "BOR");
    /** Exclusive or of the bits of bytes. */
    public static final Reduction BYTE_BXOR = new Reduction(73, BYTE, "BXOR");
    /** Sum of shorts. */
    public static final Reduction SHORT_SUM = new Reduction(74, SHORT, "SUM");
    /** Product of shorts. */
    public static final Reduction SHORT_PROD = new Reduction(75, SHORT, "PROD");
    /** Largest short. */
    public static final Reduction SHORT_MAX = new Reduction(76, SHORT, "MAX");
    /** Smallest short. */
    public static final Reduction SHORT_MIN = new Reduction(77, SHORT, "MIN");
    /** Whether all shorts are other than 0: 1 or 0. */
    public static final Reduction SHORT_LAND = new Reduction(78, SHORT, "LAND");
    /** Whether any short is other than 0: 1 or 0. */
    public static final Reduction SHORT_LOR = new Reduction(79, SHORT, "LOR");
    /** Whether an odd number of shorts are other than 0: 1 or 0. */
    public static final Reduction SHORT_LXOR = new Reduction(80, SHORT, "LXOR");
    /** And of the bits of shorts. */
    public static final Reduction SHORT_BAND = new Reduction(81, SHORT, "BAND");
    /** Or of the bits of shorts. */
    public static final Reduction SHORT_BOR = new Reduction(82, SHORT, "BOR");
    /** Exclusive or of the bits of shorts. */
    public static final Reduction SHORT_BXOR = new Reduction(83, SHORT, "BXOR");
    /** Largest short, with its location. */
    public static final Reduction SHORT_MAX_LOC = new Reduction(84, SHORT, "MAX_LOC");
    /** Smallest short, with its location. */
    public static final Reduction SHORT_MIN_LOC = new Reduction(85, SHORT, "MIN_LOC");
    /** Sum of chars. */
    public static final Reduction CHAR_SUM = new Reduction(86, CHAR, "SUM");
    /** Product of chars. */
    public static final Reduction CHAR_PROD = new Reduction(87, CHAR, "PROD");
    /** Largest char. */
    public static final Reduction CHAR_MAX = new Reduction(88, CHAR, "MAX");
    /** Smallest char. */
    public static final Reduction CHAR_MIN = new Reduction(89, CHAR, "MIN");
    /** Whether all chars are other than 0: 1 or 0. */
    public static final Reduction CHAR_LAND = new Reduction(90, CHAR, "LAND");
    /** Whether any char is other than 0: 1 or 0. */
    public static final Reduction CHAR_LOR = new Reduction(91, CHAR, "LOR");
    /** Whether an odd number of chars are other than 0: 1 or 0. */
    public static final Reduction CHAR_LXOR = new Reduction(92, CHAR, "LXOR");
    /** And of the bits of chars. */
    public static final Reduction CHAR_BAND = new Reduction(93, CHAR, "BAND");
    /** Or of the bits of chars. */
    public static final Reduction CHAR_BOR = new Reduction(94, CHAR, "BOR");
    /** Exclusive or of the bits of chars. */
    public static final Reduction CHAR_BXOR = new Reduction(95, CHAR, "BXOR");
    /** Whether all booleans are true. */
    public static final Reduction BOOLEAN_LAND = new Reduction(96, BOOLEAN, "LAND");
    /** Whether any boolean is true. */
    public static final Reduction BOOLEAN_LOR = new Reduction(97, BOOLEAN, "LOR");
    /** Whether an odd number of booleans are true. */
    public static final Reduction BOOLEAN_LXOR = new Reduction(98, BOOLEAN, "LXOR");

    private final ReduceOp op;
    private final int locationOffset;

    private Reduction(int operation, Element element, String name) {
        boolean located = name.endsWith("_LOC");
        locationOffset = located ? padded(element.bytes(), Integer.BYTES) : NONE;
        int bytes = located
                ? padded(locationOffset + Integer.BYTES,
                        Math.max(element.part().bytes(), Integer.BYTES))
                : element.bytes();
        op = new ReduceOp(operation, bytes, element, element + "_" + name);
    }

    /** Pads like a struct of C. */
    private static int padded(int bytes, int alignment) {
        return (bytes + alignment - 1) / alignment * alignment;
    }

    private Reduction(ReduceOp op) {
        this.op = op;
        locationOffset = NONE;
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
     * Returns the type of its elements, of pairs that of the value.
     *
     * @return the type; {@code null} if the reduction is custom
     */
    public Element element() {
        return op.element();
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

    /**
     * Returns a human-readable description.
     *
     * @return the name of the constant, such as {@code DOUBLE_SUM}, or the size of the elements of
     *     a custom reduction
     */
    @Override
    public String toString() {
        return op.toString();
    }
}
