// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.HayateException;
import io.hayate.Reducer;
import io.hayate.internal.Errors;
import io.hayate.internal.ReducerBinding;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicInteger;

/** A reduction, apart from the {@code Reduction} that the program has: predefined, or a user's. */
public final class ReduceOp {
    private static final int CLOSED = -1;
    private static final int MOST_BYTES = 4096;

    private final int operation;
    private final int elementBytes;
    private final FmplContext context; // null: predefined
    private final ReducerBinding.Function function;
    /** Collectives and persistent operations that use it now, or CLOSED. */
    private final AtomicInteger users = new AtomicInteger();

    /** A predefined one, by its number in C. */
    public ReduceOp(int operation, int elementBytes) {
        this.operation = operation;
        this.elementBytes = elementBytes;
        context = null;
        function = null;
    }

    private ReduceOp(FmplContext context, int elementBytes, Reducer reducer) {
        this.context = context;
        this.elementBytes = elementBytes;
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

    /** A user's. */
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

    /** Its number in C. */
    public int operation() {
        return operation;
    }

    /** Elements in a range of that many bytes. */
    public long count(long bytes) {
        if (bytes % elementBytes != 0) {
            throw Errors.argument(
                    bytes + " bytes are no whole number of elements of " + elementBytes);
        }
        return bytes / elementBytes;
    }

    /** A collective of that FMPL begins to use it; end() follows. */
    void begin(FmplContext user) {
        if (function == null) {
            return;
        }
        if (context != user) {
            throw Errors.argument("the reduction was made for another Fmpl");
        }
        ReducerBinding.takeThrown();
        if (users.getAndUpdate(n -> n == CLOSED ? CLOSED : n + 1) == CLOSED) {
            throw Errors.closed("the reduction");
        }
    }

    /** A persistent operation's own, which keeps what is thrown; null: predefined. */
    public ReducerBinding.Function ownFunction() {
        return function == null ? null : ReducerBinding.registerKeeping(function);
    }

    void end() {
        if (function != null) {
            users.decrementAndGet();
        }
    }

    /** After the collective, on its thread. */
    void rethrow() {
        Throwable thrown = function == null ? null : ReducerBinding.takeThrown();
        if (thrown != null) {
            throw Errors.callback(thrown);
        }
    }

    /** Gives a user's function up; idempotent. */
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
        ReducerBinding.forget(function);
    }

    /** With the FMPL it is gone natively. */
    private void free() {
        if (!context.isClosed()) {
            Errors.check(ReducerBinding.free(context.handle(), operation));
            Reference.reachabilityFence(context);
        }
    }
}
