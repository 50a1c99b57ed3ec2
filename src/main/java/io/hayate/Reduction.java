// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.ReducerDoor;
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

    private static final int CLOSED = -1;

    private final int operation;
    private final int elementBytes;
    private final Fmpl fmpl; // null: predefined
    private final ReducerDoor.Function function;
    /** Collectives and persistent operations that use it now, or CLOSED. */
    private final AtomicInteger users = new AtomicInteger();

    private Reduction(int operation, int elementBytes) {
        this.operation = operation;
        this.elementBytes = elementBytes;
        fmpl = null;
        function = null;
    }

    private Reduction(Fmpl fmpl, int elementBytes, Reducer reducer) {
        this.fmpl = fmpl;
        this.elementBytes = elementBytes;
        function = ReducerDoor.register(reducer, elementBytes);
        operation = create();
    }

    private int create() {
        try {
            return Errors.check(
                    ReducerDoor.create(fmpl.anchor.fmpl(), elementBytes, function.number()));
        } catch (HayateException refused) {
            ReducerDoor.forget(function);
            throw refused;
        }
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
        Errors.required(fmpl, "fmpl").requireOpen();
        Errors.required(reducer, "reducer");
        if (elementBytes < 1 || elementBytes > 4096) {
            throw Errors.argument("elements of " + elementBytes + " bytes: expected 1 to 4096");
        }
        return new Reduction(fmpl, elementBytes, reducer);
    }

    /**
     * Size of an element.
     *
     * @return bytes
     */
    public int elementBytes() {
        return elementBytes;
    }

    int operation() {
        return operation;
    }

    /** A collective of that FMPL begins to use it; end() follows. */
    void begin(Fmpl user) {
        if (function == null) {
            return;
        }
        if (fmpl != user) {
            throw Errors.argument("the reduction was made for another Fmpl");
        }
        ReducerDoor.takeThrown();
        if (users.getAndUpdate(n -> n == CLOSED ? CLOSED : n + 1) == CLOSED) {
            throw Errors.closed("the reduction");
        }
    }

    /** A persistent operation's own, which keeps what is thrown; null: predefined. */
    ReducerDoor.Function ownFunction() {
        return function == null ? null : ReducerDoor.registerKeeping(function);
    }

    void end() {
        if (function != null) {
            users.decrementAndGet();
        }
    }

    /** After the collective, on its thread. */
    void rethrow() {
        Throwable thrown = function == null ? null : ReducerDoor.takeThrown();
        if (thrown != null) {
            throw Errors.callback(thrown);
        }
    }

    /**
     * Gives the user function up. Does nothing for the constants; idempotent.
     *
     * @throws BusyException if a collective or a persistent operation is using it
     */
    @Override
    public void close() {
        if (function == null || users.get() == CLOSED) {
            return;
        }
        if (!users.compareAndSet(0, CLOSED)) {
            if (users.get() == CLOSED) {
                return;
            }
            throw Errors.busy("a collective, or a persistent operation, is using the reduction");
        }
        try {
            free();
        } catch (RuntimeException | OutOfMemoryError refused) {
            users.set(0);
            throw refused;
        }
        ReducerDoor.forget(function);
    }

    /** With the FMPL it is gone natively. */
    private void free() {
        if (!fmpl.isClosed()) {
            Errors.check(ReducerDoor.free(fmpl.anchor.fmpl(), operation));
            Reference.reachabilityFence(fmpl);
        }
    }
}
