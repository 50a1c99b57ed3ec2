// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.HayateException;
import io.hayate.internal.bindings.FmplBinding;
import io.hayate.internal.bindings.ReducerBinding;
import io.hayate.internal.bindings.TellBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Deadline;
import io.hayate.internal.job.Memory;
import io.hayate.internal.job.VirtualThreads;
import io.hayate.internal.job.Waker;
import java.lang.ref.Reference;

/**
 * A collective that was started. It occupies its communicator, and holds its memory, until a call
 * finds it complete. Any thread that waits in a call of Hayate makes progress on it.
 */
public final class CollectiveOperation extends Operation {
    private final FmplContext context;
    private final HeldMemories all;
    private final CommunicatorState comm;
    private final HeldMemory memory;
    /** The custom function of this operation alone; null: predefined, or none. */
    private final ReducerBinding.Function function;
    private final String name;
    private final long bytes;
    private volatile boolean active;
    // Written by the thread that is inside.
    /** C has completed it at the start, but the program does not know: it is busy all the same. */
    private boolean early;
    private int code;
    private HayateException failure; // null also if there was no memory for it

    private CollectiveOperation(FmplState fmpl, CommunicatorState comm, CollectiveCall what) {
        context = fmpl.context();
        all = fmpl.persistent();
        this.comm = comm;
        memory = new HeldMemory(what.in, what.out, what.reduction);
        function = what.reduction == null ? null : what.reduction.ownFunction();
        name = what.name();
        bytes = what.bytes();
    }

    /** Starts a collective; never waits. */
    public static CollectiveOperation start(FmplState fmpl, CommunicatorState comm,
            CollectiveCall what) {
        fmpl.context().requireOpen();
        if (comm.context != fmpl.context()) {
            throw Errors.argument("the communicator belongs to another Fmpl");
        }
        comm.enter();
        CollectiveOperation made = null;
        try {
            made = new CollectiveOperation(fmpl, comm, what);
            made.begin(what);
            return made;
        } catch (RuntimeException | Error failure) {
            if (made != null) {
                made.forgetUnlessUsed(failure instanceof HayateException e ? e.code() : 0);
            }
            comm.leave();
            throw failure;
        }
    }

    /** The memory is held before peers can access it. */
    private void begin(CollectiveCall what) {
        Memory in = what.in;
        Memory out = what.out;
        long inStart = in == null ? 0 : in.sendable(context.job(), 0, in.bytes);
        long outStart = out == null ? 0 : out.receivable(context.job(), 0, out.bytes);
        all.add(memory);
        int rc = Errors.check(what.call(context.handle(), comm.number, inStart, outStart,
                function == null ? 0 : function.number(), FmplBinding.START));
        Reference.reachabilityFence(what);
        early = rc != FmplBinding.IN_PROGRESS;
        active = true;
        begun();
    }

    private void forget() {
        all.remove(memory);
        if (function != null) {
            ReducerBinding.forget(function);
        }
    }

    /** Keeps a result; the communicator is then free for others. */
    private void settle(int rc, HayateException why) {
        if (rc == FmplBinding.IN_PROGRESS) {
            return;
        }
        code = rc;
        failure = why;
        active = false;
        forgetUnlessUsed(rc);
        comm.leave();
    }

    /** Lets the memory go, unless other members may use it after this result. */
    private void forgetUnlessUsed(int rc) {
        if (!comm.breaks(rc)) {
            forget();
        }
    }

    @Override
    protected FmplContext context() {
        return context;
    }

    @Override
    protected boolean isActive() {
        return active;
    }

    @Override
    protected void advance() {
        if (early) {
            settle(0, null);
            return;
        }
        int rc = FmplBinding.startedTest(context.handle(), comm.number);
        settle(rc, Errors.failureIfRoom(rc));
        Reference.reachabilityFence(context);
    }

    @Override
    protected void finish(Deadline deadline) {
        if (early) {
            settle(0, null);
        } else if (VirtualThreads.isCurrent()) {
            super.finish(deadline);
        } else {
            do {
                int rc = FmplBinding.startedAwait(context.handle(), comm.number, deadline.turn());
                settle(rc, Errors.failureIfRoom(rc));
            } while (active && !deadline.isOver());
            Reference.reachabilityFence(context);
        }
    }

    @Override
    protected Waker.Teller teller() {
        return (told, thread) -> TellBinding.started(context.handle(), comm.number, told, thread);
    }

    @Override
    protected String name() {
        return name;
    }

    @Override
    protected long bytes() {
        return bytes;
    }

    @Override
    protected long result() {
        if (failure == null) {
            failure = reason();
        }
        if (failure != null) {
            throw failure;
        }
        return 0;
    }

    /** Of a failure, or of an exception of the reduction; null: neither. */
    private HayateException reason() {
        if (code != 0) {
            return Errors.exception(code,
                    "the " + this + " failed, and there was no memory to keep the reason", -1);
        }
        Throwable thrown = function == null ? null : function.kept();
        return thrown == null ? null : Errors.callback(thrown);
    }

    @Override
    protected boolean withdraw() {
        return false;
    }

    @Override
    protected void requireCancellable() {
        throw Errors.argument("only a receive can be cancelled");
    }

    @Override
    public long received() {
        if (active) {
            throw Errors.exception(Errors.STATE,
                    "the " + this + " is not known to be complete: call await() or test() first",
                    -1);
        }
        return 0;
    }

    /** Describes the operation. */
    @Override
    public String toString() {
        return name + " on a communicator of " + comm.size();
    }
}
