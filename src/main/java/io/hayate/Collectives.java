// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.FmplAnchor;
import io.hayate.internal.FmplDoor;
import io.hayate.internal.job.VirtualThreads;
import io.hayate.internal.job.Waker;
import java.lang.ref.Reference;

/** Collectives of one FMPL. Virtual threads park as in {@link Messages}. */
final class Collectives {
    private final Fmpl fmpl;
    private final Hayate job;
    private final FmplAnchor anchor;
    private final Messages messages;

    Collectives(Fmpl fmpl, Hayate job, FmplAnchor anchor, Messages messages) {
        this.fmpl = fmpl;
        this.job = job;
        this.anchor = anchor;
        this.messages = messages;
    }

    void barrier(Communicator comm) {
        enter(comm);
        try {
            call(comm, FmplDoor.BARRIER, null, 0, 0, 0, 0);
        } finally {
            comm.leave();
        }
    }

    /** All of a span. */
    void bcast(int kind, Span span, int root, Communicator comm) {
        bcast(kind, span, 0, Errors.required(span, "span").bytes, root, comm);
    }

    void bcast(int kind, Span span, long offset, long bytes, int root, Communicator comm) {
        long start = messages.startWritable(span, offset, bytes);
        enter(comm);
        try {
            run(comm, kind, span, start, bytes, 0, root);
        } finally {
            comm.leave();
        }
    }

    void reduce(int kind, Span span, long offset, long count, Reduction reduction, int root,
            Communicator comm) {
        int unit = Errors.required(reduction, "reduction").elementBytes();
        if (count < 0 || count > Long.MAX_VALUE / unit) {
            throw Errors.argument("count " + count + ": expected 0 or more");
        }
        long start = messages.startWritable(span, offset, count * unit);
        enter(comm);
        try {
            reduction.begin(fmpl);
            try {
                run(comm, kind, span, start, count, reduction.operation(), root);
                reduction.rethrow();
            } finally {
                reduction.end();
            }
        } finally {
            comm.leave();
        }
    }

    /** Elements of a whole span. */
    static long count(Span span, Reduction reduction) {
        int unit = Errors.required(reduction, "reduction").elementBytes();
        long bytes = Errors.required(span, "span").bytes;
        if (bytes % unit != 0) {
            throw Errors.argument(bytes + " bytes are no whole number of elements of " + unit);
        }
        return bytes / unit;
    }

    private void enter(Communicator comm) {
        if (Errors.required(comm, "communicator").fmpl() != fmpl) {
            throw Errors.argument("the communicator is of another Fmpl");
        }
        comm.enter();
    }

    private void run(Communicator comm, int kind, Span span, long start, long count, int operation,
            int root) {
        if (span.root == null) {
            call(comm, kind, span, start, count, operation, root);
            return;
        }
        comm.use(start);
        try {
            call(comm, kind, span, start, count, operation, root);
        } finally {
            comm.use(0);
        }
    }

    private void call(Communicator comm, int kind, Span span, long start, long count,
            int operation, int root) {
        Waker waker = VirtualThreads.isCurrent() ? job.waker() : null;
        boolean parks = waker != null;
        int number = comm.number();
        long handle = anchor.fmpl();
        int rc = Errors.check(span == null || span.array == null
                ? FmplDoor.collective(handle, number, kind, start, count, operation, root, parks)
                : FmplDoor.collectiveArray(
                        handle, number, kind, span.array, start, count, operation, root, parks));
        if (rc == FmplDoor.IN_PROGRESS) {
            await(waker, handle, number);
        }
        Reference.reachabilityFence(span);
        Reference.reachabilityFence(anchor);
    }

    /** To the end, as the others count on this rank: without memory it holds its carrier. */
    private static void await(Waker waker, long fmpl, int comm) {
        try {
            waker.await(() -> Errors.check(FmplDoor.collectiveTest(fmpl, comm)));
        } catch (OutOfMemoryError full) {
            poll(fmpl, comm, full);
        }
    }

    private static void poll(long fmpl, int comm, OutOfMemoryError full) {
        try {
            while (Errors.check(FmplDoor.collectiveTest(fmpl, comm)) == FmplDoor.IN_PROGRESS) {
                Thread.yield();
            }
        } catch (StateException over) {
            throw full; // it was its failure that there was no memory for
        }
    }
}
