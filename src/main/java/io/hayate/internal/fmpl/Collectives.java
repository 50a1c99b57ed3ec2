// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.HayateException;
import io.hayate.StateException;
import io.hayate.internal.bindings.FmplBinding;
import io.hayate.internal.bindings.TellBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.jfr.Recorder;
import io.hayate.internal.job.Deadline;
import io.hayate.internal.job.Job;
import io.hayate.internal.job.Memory;
import io.hayate.internal.job.VirtualThreads;
import io.hayate.internal.job.Waker;
import io.hayate.internal.lifetime.FmplAnchor;
import java.lang.ref.Reference;

/**
 * The collectives of one FMPL. Virtual threads park as in {@link Messages}. When a collective fails
 * after it has begun, other members may still use its memory, which is therefore held until the
 * FMPL is closed.
 */
public final class Collectives {
    private final FmplContext context;
    private final Job job;
    private final FmplAnchor anchor;
    private final HeldMemories abandoned;

    Collectives(FmplContext context, HeldMemories abandoned) {
        this.context = context;
        this.abandoned = abandoned;
        job = context.job();
        anchor = context.anchor();
    }

    public void barrier(CommunicatorState comm) {
        if (Recorder.isOff()) {
            barrierNow(comm);
        } else {
            Recorder.record("barrier", job.rank(), -1, -1, 0, () -> barrierNow(comm));
        }
    }

    private void barrierNow(CommunicatorState comm) {
        enter(comm);
        try {
            call(comm, FmplBinding.BARRIER, null, 0, 0, 0, 0);
        } catch (HayateException failure) {
            throw failed(failure, comm, null, null);
        } finally {
            comm.leave();
        }
    }

    /** Broadcasts a whole memory range. */
    public void bcast(int kind, Memory memory, int root, CommunicatorState comm) {
        bcast(kind, memory, 0, memory.bytes, root, comm);
    }

    public void bcast(int kind, Memory memory, long offset, long bytes, int root,
            CommunicatorState comm) {
        if (Recorder.isOff()) {
            bcastNow(kind, memory, offset, bytes, root, comm);
        } else {
            Recorder.record(CollectiveCall.name(kind), job.rank(), -1, -1, bytes,
                    () -> bcastNow(kind, memory, offset, bytes, root, comm));
        }
    }

    private void bcastNow(int kind, Memory memory, long offset, long bytes, int root,
            CommunicatorState comm) {
        long start = memory.receivable(job, offset, bytes);
        enter(comm);
        try {
            run(comm, kind, memory, start, bytes, 0, root);
        } catch (HayateException failure) {
            throw failed(failure, comm, null, memory);
        } finally {
            comm.leave();
        }
    }

    public void reduce(int kind, Memory memory, long offset, long count, ReduceOp reduction,
            int root, CommunicatorState comm) {
        if (Recorder.isOff()) {
            reduceNow(kind, memory, offset, count, reduction, root, comm);
        } else {
            long bytes = count * reduction.elementBytes();
            Recorder.record(CollectiveCall.name(kind), job.rank(), -1, -1, bytes,
                    () -> reduceNow(kind, memory, offset, count, reduction, root, comm));
        }
    }

    private void reduceNow(int kind, Memory memory, long offset, long count, ReduceOp reduction,
            int root, CommunicatorState comm) {
        reduction.requireElements(memory, offset);
        int unit = reduction.elementBytes();
        if (count < 0 || count > Long.MAX_VALUE / unit) {
            throw Errors.argument("count " + count + ": expected 0 or more");
        }
        long start = memory.receivable(job, offset, count * unit);
        enter(comm);
        try {
            reduction.begin(context);
            try {
                run(comm, kind, memory, start, count, reduction.operation(), root);
                reduction.rethrow();
            } finally {
                reduction.end();
            }
        } catch (HayateException failure) {
            throw failed(failure, comm, null, memory);
        } finally {
            comm.leave();
        }
    }

    /** A collective with separate input and output. */
    public void twoSided(CollectiveCall what, CommunicatorState comm) {
        if (Recorder.isOff()) {
            twoSidedNow(what, comm);
        } else {
            Recorder.record(what.name(), job.rank(), -1, -1, what.bytes(),
                    () -> twoSidedNow(what, comm));
        }
    }

    private void twoSidedNow(CollectiveCall what, CommunicatorState comm) {
        long in = what.in == null ? 0 : what.in.sendable(job, 0, what.in.bytes);
        long out = what.out == null ? 0 : what.out.receivable(job, 0, what.out.bytes);
        enter(comm);
        try {
            if (what.reduction == null) {
                run(comm, what, in, out);
                return;
            }
            what.reduction.begin(context);
            try {
                run(comm, what, in, out);
                what.reduction.rethrow();
            } finally {
                what.reduction.end();
            }
        } catch (HayateException failure) {
            throw failed(failure, comm, what.in, what.out);
        } finally {
            comm.leave();
        }
    }

    private void run(CommunicatorState comm, CollectiveCall what, long in, long out) {
        if (what.in != null && what.in.isOfHeap()) {
            comm.read(what.in.mark(in));
        }
        if (what.out != null && what.out.isOfHeap()) {
            comm.use(what.out.mark(out));
        }
        what.pin();
        try {
            call(comm, what, in, out);
        } finally {
            what.unpin();
            comm.read(0);
            comm.use(0);
        }
    }

    private void call(CommunicatorState comm, CollectiveCall what, long in, long out) {
        Waker waker = VirtualThreads.isCurrent() ? job.waker() : null;
        long handle = anchor.fmpl();
        int rc = Errors.check(what.call(handle, comm.number, in, out, 0,
                waker == null ? FmplBinding.WAIT : FmplBinding.PARK));
        if (rc == FmplBinding.IN_PROGRESS) {
            await(waker, handle, comm.number);
        }
        Reference.reachabilityFence(what);
        Reference.reachabilityFence(anchor);
    }

    /** Returns the failure. */
    private HayateException failed(HayateException failure, CommunicatorState comm, Memory in,
            Memory out) {
        if (comm.breaks(failure.code())) {
            abandoned.add(new HeldMemory(in, out, null));
        }
        return failure;
    }

    private void enter(CommunicatorState comm) {
        if (comm.context != context) {
            throw Errors.argument("the communicator belongs to another Fmpl");
        }
        comm.enter();
    }

    private void run(CommunicatorState comm, int kind, Memory memory, long start, long count,
            int operation, int root) {
        if (!memory.isOfHeap()) {
            call(comm, kind, memory, start, count, operation, root);
            return;
        }
        comm.use(memory.mark(start));
        try {
            call(comm, kind, memory, start, count, operation, root);
        } finally {
            comm.use(0);
        }
    }

    private void call(CommunicatorState comm, int kind, Memory memory, long start, long count,
            int operation, int root) {
        Waker waker = VirtualThreads.isCurrent() ? job.waker() : null;
        boolean parks = waker != null;
        int number = comm.number;
        long handle = anchor.fmpl();
        int rc = Errors.check(memory == null || memory.array == null
                ? FmplBinding.collective(handle, number, kind, start, count, operation, root, parks)
                : FmplBinding.collectiveArray(
                        handle, number, kind, memory.array, start, count, operation, root, parks));
        if (rc == FmplBinding.IN_PROGRESS) {
            await(waker, handle, number);
        }
        Reference.reachabilityFence(memory);
        Reference.reachabilityFence(anchor);
    }

    /**
     * Runs the collective to its end, or gives it up when the thread is interrupted; C watches the
     * time limit. If there is no memory to park, it pins its carrier.
     */
    private static void await(Waker waker, long fmpl, int comm) {
        try {
            long rc = waker.await(() -> Errors.check(FmplBinding.collectiveTest(fmpl, comm, false)),
                    (told, thread) -> TellBinding.collective(fmpl, comm, told, thread),
                    Deadline.NONE);
            if (rc == FmplBinding.IN_PROGRESS) {
                Errors.check(FmplBinding.collectiveTest(fmpl, comm, true));
            }
        } catch (OutOfMemoryError full) {
            poll(fmpl, comm, full);
        }
    }

    private static void poll(long fmpl, int comm, OutOfMemoryError full) {
        try {
            while (Errors.check(FmplBinding.collectiveTest(fmpl, comm, false))
                    == FmplBinding.IN_PROGRESS) {
                Thread.yield();
            }
        } catch (StateException over) {
            throw full; // there was no memory for the exception of the collective
        }
    }
}
