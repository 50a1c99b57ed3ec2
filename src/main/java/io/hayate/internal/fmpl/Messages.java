// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.ArgumentException;
import io.hayate.BusyException;
import io.hayate.HayateException;
import io.hayate.internal.Errors;
import io.hayate.internal.FmplAnchor;
import io.hayate.internal.FmplBinding;
import io.hayate.internal.Outcome;
import io.hayate.internal.SetupBinding;
import io.hayate.internal.job.Job;
import io.hayate.internal.job.Memory;
import io.hayate.internal.job.VirtualThreads;
import io.hayate.internal.job.Waker;
import java.lang.ref.Reference;

/**
 * The point-to-point messages of one FMPL. Platform threads block in native code; virtual threads
 * make a bounded call, and park if the operation is not complete then.
 */
public final class Messages {
    private final FmplContext context;
    private final Job job;
    private final FmplAnchor anchor;
    private final long fmpl;
    private final Lanes lanes;

    /** A non-blocking operation in progress; the caller has entered it. */
    interface Pending {
        /** Returns its request; 0: it is not in progress. */
        long handle();

        /** Receives the result of a native call, directly at the call, and returns it. */
        long seen(long outcome, HayateException failure);
    }

    Messages(FmplContext context, Lanes lanes) {
        this.context = context;
        job = context.job();
        anchor = context.anchor();
        fmpl = context.handle();
        this.lanes = lanes;
    }

    long sendable(Memory memory, long offset, long bytes) {
        return memory.sendable(job, offset, bytes);
    }

    long receivable(Memory memory, long offset, long bytes) {
        return memory.receivable(job, offset, bytes);
    }

    FmplContext context() {
        return context;
    }

    Lanes lanes() {
        return lanes;
    }

    // Blocking. A second operation on the lane gets BUSY and must not change the mark of the first
    // one.

    public void send(Memory memory, long offset, long bytes, int dst, int mai) {
        long start = memory.sendable(job, offset, bytes);
        Lanes.Lane lane = lanes.sending(dst, mai);
        Waker waker = waker();
        long before = lane.begin(memory, start);
        try {
            if (waker == null) {
                doSend(memory.array, start, bytes, dst, mai);
            } else {
                park(waker, doSendBounded(memory.array, start, bytes, dst, mai));
            }
            over(lane, before, null, memory);
        } catch (HayateException | OutOfMemoryError failure) {
            over(lane, before, failure, memory);
            throw failure;
        }
    }

    public long receive(Memory memory, long offset, long bytes, int src, int mai) {
        long start = memory.receivable(job, offset, bytes);
        Lanes.Lane lane = lanes.receiving(src, mai);
        Waker waker = waker();
        long before = lane.begin(memory, start);
        try {
            long length = waker == null ? doReceive(memory.array, start, bytes, src, mai)
                    : park(waker, doReceiveBounded(memory.array, start, bytes, src, mai));
            over(lane, before, null, memory);
            return length;
        } catch (HayateException | OutOfMemoryError failure) {
            over(lane, before, failure, memory);
            throw failure;
        }
    }

    /**
     * Returns the waker, which must be requested before an operation is in progress; null: this
     * thread may block.
     */
    private Waker waker() {
        return VirtualThreads.isCurrent() ? job.waker() : null;
    }

    /** Waits until it is complete; returns its bytes. */
    private long park(Waker waker, long begun) {
        return Outcome.bytes(Outcome.goesOn(begun) ? await(waker, begun) : begun);
    }

    /**
     * Waits for the end, because the buffer is in use; if there is no memory to park, it pins its
     * carrier.
     */
    private long await(Waker waker, long begun) {
        try {
            return waker.await(() -> Errors.check(FmplBinding.test(fmpl, begun)));
        } catch (OutOfMemoryError full) {
            return block(begun, full);
        }
    }

    private long block(long begun, OutOfMemoryError full) {
        try {
            return Errors.check(FmplBinding.await(fmpl, begun));
        } catch (ArgumentException over) {
            throw full; // there was no memory for the exception of the operation
        }
    }

    /** Without memory for the exception it is unknown whether there was another operation. */
    private void over(Lanes.Lane lane, long before, Throwable failure, Memory memory) {
        lane.end(before, failure instanceof BusyException || failure instanceof OutOfMemoryError);
        Reference.reachabilityFence(memory);
        Reference.reachabilityFence(anchor);
    }

    public long trim() {
        long bytes = Errors.check(SetupBinding.fmplTrim(fmpl));
        Reference.reachabilityFence(anchor);
        return bytes;
    }

    // Non-blocking. The caller has entered the request of the lane.

    long isend(Memory memory, long start, long bytes, int dst, int mai) {
        Lanes.Lane lane = lanes.sending(dst, mai);
        return keep(lane, memory, start, Errors.check(
                FmplBinding.isend(fmpl, memory.array, start, bytes, dst, mai)));
    }

    long irecv(Memory memory, long start, long bytes, int src, int mai) {
        Lanes.Lane lane = lanes.receiving(src, mai);
        return keep(lane, memory, start, Errors.check(
                FmplBinding.irecv(fmpl, memory.array, start, bytes, src, mai)));
    }

    private long keep(Lanes.Lane lane, Memory memory, long start, long outcome) {
        if (Outcome.goesOn(outcome)) {
            lane.keep(memory, start);
        }
        Reference.reachabilityFence(memory);
        Reference.reachabilityFence(anchor);
        return outcome;
    }

    /** Ends the operation of a request: the program may use its buffer again. */
    void letGo(int peer, int mai, boolean sends) {
        (sends ? lanes.sending(peer, mai) : lanes.receiving(peer, mai)).letGo();
    }

    // The request receives its result, with the exception if it has failed.

    long test(Pending request) {
        long outcome = look(request);
        Reference.reachabilityFence(anchor);
        return outcome;
    }

    private long look(Pending request) {
        long outcome = FmplBinding.test(fmpl, request.handle());
        return request.seen(outcome, Errors.failureIfRoom(outcome));
    }

    long await(Pending request) {
        Waker waker = waker();
        long outcome = waker == null ? block(request) : waker.await(() -> look(request));
        Reference.reachabilityFence(anchor);
        return outcome;
    }

    private long block(Pending request) {
        long outcome = FmplBinding.await(fmpl, request.handle());
        return request.seen(outcome, Errors.failureIfRoom(outcome));
    }

    int cancel(long request) {
        int rc = Errors.check(FmplBinding.cancel(fmpl, request));
        Reference.reachabilityFence(anchor);
        return rc;
    }

    /**
     * Returns the index of a complete request, with its outcome in outcome[0]. At least one request
     * must not be 0.
     */
    int awaitAny(Pending[] requests, long[] handles, long[] outcome) {
        Waker waker = waker();
        int index = waker == null ? blockForAny(requests, handles, outcome)
                : parkForAny(waker, requests, outcome);
        Reference.reachabilityFence(anchor);
        return index;
    }

    private int blockForAny(Pending[] requests, long[] handles, long[] outcome) {
        int index = FmplBinding.waitAny(fmpl, handles, outcome);
        HayateException failure = Errors.failureIfRoom(outcome[0]);
        if (index >= 0) {
            requests[index].seen(outcome[0], failure);
            return index;
        }
        throw failure != null ? failure
                : Errors.exception((int) outcome[0], "no request was waited for", -1);
    }

    private int parkForAny(Waker waker, Pending[] requests, long[] outcome) {
        int[] found = new int[1];
        outcome[0] = waker.await(() -> {
            for (int i = 0; i < requests.length; i++) {
                long result = requests[i].handle() == 0 ? 1 : look(requests[i]);
                if (!Outcome.goesOn(result)) {
                    found[0] = i;
                    return result;
                }
            }
            return 1;
        });
        return found[0];
    }

    // Calls the binding for native memory or for an array; offsets count from its beginning.

    private long doSend(Object array, long start, long bytes, int dst, int mai) {
        return Errors.check(array == null
                ? FmplBinding.send(fmpl, start, bytes, dst, mai)
                : FmplBinding.sendArray(fmpl, array, start, bytes, dst, mai));
    }

    private long doReceive(Object array, long start, long bytes, int src, int mai) {
        return Errors.check(array == null
                ? FmplBinding.recv(fmpl, start, bytes, src, mai)
                : FmplBinding.recvArray(fmpl, array, start, bytes, src, mai));
    }

    private long doSendBounded(Object array, long start, long bytes, int dst, int mai) {
        return Errors.check(array == null
                ? FmplBinding.sendBounded(fmpl, start, bytes, dst, mai)
                : FmplBinding.sendArrayBounded(fmpl, array, start, bytes, dst, mai));
    }

    private long doReceiveBounded(Object array, long start, long bytes, int src, int mai) {
        return Errors.check(array == null
                ? FmplBinding.recvBounded(fmpl, start, bytes, src, mai)
                : FmplBinding.recvArrayBounded(fmpl, array, start, bytes, src, mai));
    }
}
