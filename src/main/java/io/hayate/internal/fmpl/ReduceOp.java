// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.Element;
import io.hayate.HayateException;
import io.hayate.Reducer;
import io.hayate.internal.bindings.ReducerBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Memory;
import java.lang.ref.Reference;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The state of a reduction, separate from the {@code Reduction} of the program: predefined or
 * custom.
 */
public final class ReduceOp {
    private static final int CLOSED = -1;
    private static final int MOST_BYTES = 4096;

    private final int operation;
    private final int elementBytes;
    private final Element element; // null: any
    private final String name;
    private final FmplContext context; // null: predefined
    private final ReducerBinding.Function function;
    /** Number of collectives and persistent operations that use it, or CLOSED. */
    private final AtomicInteger users = new AtomicInteger();

    /** Creates a predefined reduction from its number in C; of pairs, the element is the value. */
    public ReduceOp(int operation, int elementBytes, Element element, String name) {
        this.operation = operation;
        this.elementBytes = elementBytes;
        this.element = element;
        this.name = name;
        context = null;
        function = null;
    }

    private ReduceOp(FmplContext context, int elementBytes, Reducer reducer) {
        this.context = context;
        this.elementBytes = elementBytes;
        element = null;
        name = "custom reduction of elements of " + elementBytes + " bytes";
        function = ReducerBinding.register(reducer, elementBytes);
        operation = create();
    }

    private int create() {
        try {
            return Errors.check(
                    ReducerBinding.create(context.handle(), elementBytes, function.number()));
        } catch (HayateException refused) {
            ReducerBinding.forget(function);
            throw refused;
        }
    }

    /** Creates a custom reduction. */
    public static ReduceOp of(FmplContext context, int elementBytes, Reducer reducer) {
        context.requireOpen();
        Errors.required(reducer, "reducer");
        if (elementBytes < 1 || elementBytes > MOST_BYTES) {
            throw Errors.argument("elements of " + elementBytes + " bytes: expected 1 to "
                    + MOST_BYTES);
        }
        return new ReduceOp(context, elementBytes, reducer);
    }

    public int elementBytes() {
        return elementBytes;
    }

    /** Returns the type of the elements; null: any. */
    public Element element() {
        return element;
    }

    /** Refuses memory whose elements are known to have another type, or to be cut. */
    public void requireElements(Memory memory, long offset) {
        memory.requireAligned(offset);
        Element given = memory.element;
        if (given != element && given != null && element != null && given != element.part()) {
            throw Errors.argument(name + " over " + lower(given) + "[]: expected " + given
                    + (given == Element.BOOLEAN ? "_LOR" : "_SUM") + " or another reduction of "
                    + lower(given) + ", or Span.of(" + lower(element.part()) + "[])");
        }
    }

    private static String lower(Element element) {
        return element.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Returns its number in C. */
    public int operation() {
        return operation;
    }

    /** Returns the number of elements in a range of bytes. */
    public long count(long bytes) {
        if (bytes % elementBytes != 0) {
            throw Errors.argument(
                    bytes + " bytes: expected a multiple of the element size, " + elementBytes);
        }
        return bytes / elementBytes;
    }

    /**
     * Called when a collective of an FMPL starts to use it; the caller must call end() afterwards.
     */
    void begin(FmplContext user) {
        if (function == null) {
            return;
        }
        if (context != user) {
            throw Errors.argument("the reduction was created for another Fmpl");
        }
        ReducerBinding.takeThrown();
        if (users.getAndUpdate(n -> n == CLOSED ? CLOSED : n + 1) == CLOSED) {
            throw Errors.closed("the reduction");
        }
    }

    /** Creates the function of a persistent operation, which keeps exceptions; null: predefined. */
    public ReducerBinding.Function ownFunction() {
        return function == null ? null : ReducerBinding.registerKeeping(function);
    }

    void end() {
        if (function != null) {
            users.decrementAndGet();
        }
    }

    /** Called after the collective, on its thread. */
    void rethrow() {
        Throwable thrown = function == null ? null : ReducerBinding.takeThrown();
        if (thrown != null) {
            throw Errors.callback(thrown);
        }
    }

    @Override
    public String toString() {
        return name;
    }

    /** Releases a custom function; idempotent. */
    public void close() {
        if (function == null || users.get() == CLOSED) {
            return;
        }
        if (!users.compareAndSet(0, CLOSED)) {
            if (users.get() == CLOSED) {
                return;
            }
            throw Errors.busy("a collective or a persistent operation is using the reduction");
        }
        try {
            free();
        } catch (RuntimeException | OutOfMemoryError refused) {
            users.set(0);
            throw refused;
        }
        ReducerBinding.forget(function);
    }

    /** Called after the FMPL is closed, which frees the native function. */
    private void free() {
        if (!context.isClosed()) {
            Errors.check(ReducerBinding.free(context.handle(), operation));
            Reference.reachabilityFence(context);
        }
    }
}
