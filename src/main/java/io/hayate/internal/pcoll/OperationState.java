// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pcoll;

import io.hayate.HayateException;
import io.hayate.InterruptedWaitException;
import io.hayate.TimedOutException;
import io.hayate.internal.bindings.FmplBinding;
import io.hayate.internal.bindings.PcollBinding;
import io.hayate.internal.bindings.ReducerBinding;
import io.hayate.internal.bindings.TellBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.fmpl.CollectiveCall;
import io.hayate.internal.fmpl.CommunicatorState;
import io.hayate.internal.fmpl.FmplContext;
import io.hayate.internal.fmpl.FmplState;
import io.hayate.internal.fmpl.HeldMemories;
import io.hayate.internal.fmpl.HeldMemory;
import io.hayate.internal.jfr.Recorder;
import io.hayate.internal.job.Deadline;
import io.hayate.internal.job.Memory;
import io.hayate.internal.job.VirtualThreads;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * The state of a persistent operation, separate from the {@code PersistentOperation} of the
 * program. Its native state stays until the FMPL is unreachable.
 */
public final class OperationState {
    private final FmplContext context;
    private final HeldMemories all;
    private final HeldMemory memory;
    /** The custom function of this operation alone; null: predefined, or none. */
    private final ReducerBinding.Function function;
    /** Memory that may disappear under a span: checked before each run. */
    private final boolean perishes;
    private final String name;
    private final long bytes;
    private final AtomicBoolean inside = new AtomicBoolean();
    // Written by the thread that has entered the operation.
    private long handle; // 0: closed
    private String description = "";
    /**
     * The last run was over when it was started, and nobody has awaited it since. Where no other
     * thread uses the operation, it is read and cleared without entering: two threads that await at
     * the same time both find that the run is over. Set with release and read with acquire, so that
     * who finds the run over sees its result.
     */
    private final AtomicBoolean over = new AtomicBoolean();

    private OperationState(FmplState fmpl, CollectiveCall what) {
        context = fmpl.context();
        all = fmpl.persistent();
        memory = new HeldMemory(what.in, what.out, what.reduction);
        function = what.reduction == null ? null : what.reduction.ownFunction();
        perishes = memory.perishes();
        name = what.name();
        bytes = what.bytes();
    }

    /**
     * Prepares an operation; collective over the communicator. Returns the object that the maker
     * creates from it for the program.
     *
     * @param options the options as text
     * @param property the options of system properties, as text
     */
    public static <T> T open(FmplState fmpl, CommunicatorState comm, CollectiveCall what,
            String options, String property, Function<OperationState, T> maker) {
        fmpl.context().requireOpen();
        comm.enter();
        try {
            OperationState state = new OperationState(fmpl, what);
            try {
                T made = maker.apply(state);
                state.all.add(state.memory);
                state.open(state.init(comm, what, options, property));
                return made;
            } catch (RuntimeException | Error e) {
                state.discard();
                throw e;
            }
        } finally {
            comm.leave();
        }
    }

    /** Opens the native operation. Addresses are read when it already holds the memory. */
    private long init(CommunicatorState comm, CollectiveCall what, String options,
            String property) {
        String rules = System.getProperty("hayate.coll.rules");
        Memory in = what.in;
        Memory out = what.out;
        long inStart = in == null ? 0 : in.sendable(context.job(), 0, in.bytes);
        long outStart = out == null ? 0 : out.receivable(context.job(), 0, out.bytes);
        long result = VirtualThreads.await(() -> Errors.check(PcollBinding.init(context.handle(),
                comm.number(), what.collective,
                in == null ? null : in.array, inStart, in == null ? 0 : in.bytes,
                out == null ? null : out.array, outStart, out == null ? 0 : out.bytes,
                what.count, what.reduction == null ? 0 : what.reduction.operation(), what.root,
                function == null ? 0 : function.number(), what.which, what.blocks, options,
                property, rules)));
        Reference.reachabilityFence(this);
        return result;
    }

    private void open(long operation) {
        handle = operation;
        description = PcollBinding.describe(operation);
    }

    /** Drops an operation that the program has not seen. */
    private void discard() {
        if (handle != 0) {
            PcollBinding.free(handle);
        }
        forget();
    }

    /** Releases memory and function, which no run will ever use again. */
    private void forget() {
        all.remove(memory);
        if (function != null) {
            ReducerBinding.forget(function);
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

    /** Must be called after the operation was entered. */
    private long usable() {
        long operation = handle;
        if (operation == 0) {
            throw Errors.closed("the operation");
        }
        context.requireOpen();
        return operation;
    }

    /** Starts a run. Never blocks. */
    public void start() {
        enter();
        try {
            long operation = usable();
            if (over.getPlain()) {
                throw Errors.busy("the operation is started already: wait for its run first");
            }
            if (perishes) {
                memory.requireAlive();
            }
            over.setRelease(Errors.check(PcollBinding.start(operation)) == 0);
        } finally {
            leave();
        }
        Reference.reachabilityFence(this);
    }

    /** Makes progress, and returns whether no run is in progress. Never blocks. */
    public boolean test() {
        enter();
        try {
            if (Errors.check(PcollBinding.test(usable())) == FmplBinding.IN_PROGRESS) {
                return false;
            }
            over.setPlain(false);
            rethrow();
            return true;
        } catch (HayateException e) {
            throw over(e);
        } finally {
            leave();
        }
    }

    /** A run that needs no wait, such as one in which this rank only sends. */
    private boolean isOver() {
        if (!over.getAcquire() || function != null || !Recorder.isOff()) {
            return false;
        }
        usable();
        over.setPlain(false);
        return true;
    }

    /** Waits until the run is complete, or the limit of the FMPL is over. */
    public void await() {
        if (!isOver()) {
            await(context.deadline());
        }
    }

    /** Waits until a deadline, after which the run goes on, and an exception is thrown. */
    public void await(Deadline deadline) {
        if (isOver()) {
            return;
        }
        if (Recorder.isOff()) {
            awaitNow(deadline);
        } else {
            Recorder.record(name, context.job().rank(), -1, -1, bytes, () -> awaitNow(deadline));
        }
    }

    private void awaitNow(Deadline deadline) {
        enter();
        try {
            if (await(usable(), deadline) == FmplBinding.IN_PROGRESS) {
                throw deadline.exception("the " + name + " is not complete; it continues, and can"
                        + " be awaited again", -1);
            }
            over.setPlain(false);
            rethrow();
        } catch (TimedOutException | InterruptedWaitException goesOn) {
            throw goesOn;
        } catch (HayateException e) {
            throw over(e);
        } finally {
            leave();
        }
        Reference.reachabilityFence(this);
    }

    private int await(long operation, Deadline deadline) {
        if (!VirtualThreads.isCurrent()) {
            return block(operation, deadline);
        }
        int rc = Errors.check(PcollBinding.awaitBounded(operation));
        return rc == 0 ? 0 : (int) context.job().waker().await(
                () -> Errors.check(PcollBinding.test(operation)),
                (told, thread) -> TellBinding.persistent(operation, told, thread), deadline);
    }

    private static int block(long operation, Deadline deadline) {
        int rc;
        do {
            rc = Errors.check(PcollBinding.await(operation, deadline.turn()));
        } while (rc == FmplBinding.IN_PROGRESS && !deadline.isOver());
        return rc;
    }

    /** Handles the end of a run. */
    private void rethrow() {
        Throwable thrown = function == null ? null : function.kept();
        if (thrown != null) {
            HayateException failure = Errors.callback(thrown);
            function.forgetKept(); // only now, because it may be read again
            throw failure;
        }
    }

    /** Handles the end of a failed run; an exception of the function in that run is discarded. */
    private HayateException over(HayateException failure) {
        if (function != null) {
            function.forgetKept();
        }
        return failure;
    }

    /** Describes what was chosen and why; valid also after close. */
    public String describe() {
        return description;
    }

    /** Closes it on this rank; idempotent. */
    public void close() {
        enter();
        try {
            if (handle != 0) {
                if (over.getPlain() && context.isOpen()) {
                    throw Errors.busy("a run is under way: wait for it before closing");
                }
                Errors.check(PcollBinding.free(handle));
                handle = 0;
                forget();
            }
        } finally {
            leave();
        }
    }

    /** Makes progress on all operations of this process. Never blocks. */
    public static void progress(FmplContext context) {
        context.requireOpen();
        PcollBinding.progress(context.handle());
        Reference.reachabilityFence(context);
    }
}
