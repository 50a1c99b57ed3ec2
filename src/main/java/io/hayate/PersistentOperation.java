// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.FmplDoor;
import io.hayate.internal.PcollDoor;
import io.hayate.internal.ReducerDoor;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A prepared collective, from {@link PersistentColl}: {@link #start()} and {@link #await()}, any
 * number of times. Its memory belongs to it from start until the run is over: inputs must not be
 * written meanwhile, outputs not be touched.
 *
 * <p>Any thread may use it, one at a time: a second one gets {@link BusyException}. Start, test and
 * await allocate nothing.
 *
 * <p>Memory ordering: what a member wrote before its start, and the collective carries to this
 * rank, is visible to the thread that found the run over.
 */
public final class PersistentOperation implements AutoCloseable {
    private final Persistents all;
    private final Span[] memory;
    private final Reduction reduction;
    /** Of this operation alone; null: predefined, or none. */
    private final ReducerDoor.Function function;
    /** Memory that may go away under a span: looked at before each run. */
    private final boolean perishes;
    private final AtomicBoolean inside = new AtomicBoolean();
    // Written by the thread inside.
    private long handle; // 0: closed
    private String description = "";
    /** Pins and the use of the reduction; guarded by this. */
    private boolean held;

    PersistentOperation(Persistents all, Preparation what) {
        this.all = all;
        memory = new Span[] {what.in, what.out};
        reduction = what.reduction;
        function = reduction == null ? null : reduction.ownFunction();
        perishes = perishes(what.in) || perishes(what.out);
    }

    private static boolean perishes(Span span) {
        return span != null && span.perishes();
    }

    /** Keeps memory and reduction from being given up, until letGo(). */
    synchronized void hold(Fmpl fmpl) {
        if (reduction != null) {
            reduction.begin(fmpl);
        }
        for (Span span : memory) {
            if (span != null && span.root != null) {
                span.root.pin();
            }
        }
        held = true;
    }

    synchronized void letGo() {
        if (!held) {
            return;
        }
        held = false;
        for (Span span : memory) {
            if (span != null && span.root != null) {
                span.root.unpin();
            }
        }
        if (reduction != null) {
            reduction.end();
        }
    }

    /** What must stay reachable, as one object. */
    Object memory() {
        return memory;
    }

    /** No run will ever call the function again. */
    void forgetFunction() {
        if (function != null) {
            ReducerDoor.forget(function);
        }
    }

    long functionNumber() {
        return function == null ? 0 : function.number();
    }

    void open(long operation) {
        handle = operation;
        description = PcollDoor.describe(operation);
    }

    /** Nobody has seen it. */
    void discard() {
        if (handle != 0) {
            PcollDoor.free(handle);
        }
    }

    private void enter() {
        if (!inside.compareAndSet(false, true)) {
            throw Errors.busy("another thread is using the operation");
        }
    }

    private void leave() {
        inside.setRelease(false);
    }

    /** Inside. */
    private long usable() {
        long operation = handle;
        if (operation == 0) {
            throw Errors.closed("the operation");
        }
        all.requireOpen();
        return operation;
    }

    /**
     * Begins a run. Never blocks. Members may start their operations in different orders; an await
     * ends when the members that it depends on have started the same operation.
     *
     * @throws BusyException if the run before was not awaited
     * @throws PeerFailedException if a run before failed so: there will be no other one
     * @throws ClosedException after close, or when the {@link Fmpl}, the job, or the arena of the
     *     memory is closed
     */
    public void start() {
        enter();
        try {
            long operation = usable();
            if (perishes) {
                requireMemory();
            }
            Errors.check(PcollDoor.start(operation));
        } finally {
            leave();
        }
        Reference.reachabilityFence(this);
    }

    private void requireMemory() {
        for (Span span : memory) {
            if (span != null) {
                span.at(0, 0);
            }
        }
    }

    /**
     * Looks whether the run is over, and works on it. Never blocks.
     *
     * @return whether no run is under way any more; then the memory is the program's again
     * @throws HayateException as {@link #await()}
     */
    public boolean test() {
        enter();
        try {
            if (Errors.check(PcollDoor.test(usable())) == FmplDoor.IN_PROGRESS) {
                return false;
            }
            rethrow();
            return true;
        } catch (HayateException e) {
            throw over(e);
        } finally {
            leave();
        }
    }

    /**
     * Waits until the run is over; returns at once when there is none. A virtual thread does not
     * hold its carrier meanwhile. An interrupt does not end the wait.
     *
     * @throws PeerFailedException within a second of the death of a member that is waited for
     *     (of one on another node it can take longer, see docs/guide/nodes.md)
     * @throws CallbackException if a user's reducer threw; the run was completed, on all members
     * @throws ClosedException after close, or when the {@link Fmpl} or the job is closed, also
     *     meanwhile
     * @throws BusyException if another thread is in a call of this operation
     */
    public void await() {
        enter();
        try {
            all.await(usable());
            rethrow();
        } catch (HayateException e) {
            throw over(e);
        } finally {
            leave();
        }
        Reference.reachabilityFence(this);
    }

    /** The run is over. */
    private void rethrow() {
        Throwable thrown = function == null ? null : function.kept();
        if (thrown != null) {
            CallbackException failure = Errors.callback(thrown);
            function.forgetKept(); // only now: it may be asked for again
            throw failure;
        }
    }

    /** With its failure; what the function has thrown in that run, too, is told to nobody. */
    private HayateException over(HayateException failure) {
        if (function != null) {
            function.forgetKept();
        }
        return failure;
    }

    /**
     * Starts all of the operations, in their order.
     *
     * @param operations each once
     * @throws HayateException the first failure, the others suppressed in it; the others have been
     *     started all the same
     */
    public static void startAll(PersistentOperation... operations) {
        HayateException first = null;
        for (PersistentOperation operation : Errors.required(operations, "operations")) {
            try {
                Errors.required(operation, "operation").start();
            } catch (HayateException e) {
                first = Errors.join(first, e);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /**
     * Waits for all of the operations.
     *
     * @param operations in any order
     * @throws HayateException the first failure, the others suppressed in it; all have been waited
     *     for all the same
     */
    public static void awaitAll(PersistentOperation... operations) {
        HayateException first = null;
        for (PersistentOperation operation : Errors.required(operations, "operations")) {
            try {
                Errors.required(operation, "operation").await();
            } catch (HayateException e) {
                first = Errors.join(first, e);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /**
     * What was chosen and why: the algorithm, how it moves the data, the predicted time, and who
     * works on it.
     *
     * @return a line for people; also after close
     */
    public String describe() {
        return description;
    }

    /**
     * Gives the operation up, on this rank; idempotent. Every member does so; the native memory of
     * it is free when all have.
     *
     * @throws BusyException if a run was started and not awaited, unless it can never end, or
     *     another thread is in a call of this operation
     */
    @Override
    public void close() {
        enter();
        try {
            if (handle != 0) {
                Errors.check(PcollDoor.free(handle));
                handle = 0;
                all.remove(this);
            }
        } finally {
            leave();
        }
    }

    /**
     * For people.
     *
     * @return as {@link #describe()}
     */
    @Override
    public String toString() {
        return description;
    }
}
