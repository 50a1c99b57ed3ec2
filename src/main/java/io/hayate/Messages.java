// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.FmplAnchor;
import io.hayate.internal.FmplDoor;
import io.hayate.internal.Outcome;
import io.hayate.internal.SetupDoor;
import java.lang.ref.Reference;

/**
 * Point to point of one FMPL. Platform threads block in native code; virtual threads make a bounded
 * call, and park when that was not enough.
 */
final class Messages {
    private final Hayate job;
    private final FmplAnchor anchor;
    private final long fmpl;
    private final Lanes lanes;

    Messages(Hayate job, FmplAnchor anchor, Lanes lanes) {
        this.job = job;
        this.anchor = anchor;
        this.lanes = lanes;
        fmpl = anchor.fmpl();
    }

    long start(Span span, long offset, long bytes) {
        return start(job, span, offset, bytes);
    }

    long startWritable(Span span, long offset, long bytes) {
        return startWritable(job, span, offset, bytes);
    }

    /** Start of a range that an operation of this job may read. */
    static long start(Hayate job, Span span, long offset, long bytes) {
        long start = Errors.required(span, "span").at(offset, bytes);
        if (span.root != null && span.root.job != job) {
            span.root.job.requireOpen();
            throw Errors.argument("the heap span is of another job");
        }
        return start;
    }

    /** Start of a range that an operation of this job may write. */
    static long startWritable(Hayate job, Span span, long offset, long bytes) {
        long start = start(job, span, offset, bytes);
        if (span.readOnly) {
            throw Errors.argument("the memory is read-only: it can be sent from only");
        }
        return start;
    }

    // Blocking. A second operation on the lane gets BUSY and must leave the first one's mark alone.

    void send(Span span, long offset, long bytes, int dst, int mai) {
        long start = start(span, offset, bytes);
        Lanes.Lane lane = lanes.sending(dst, mai);
        Waker waker = waker();
        long before = lane.begin(span, start);
        long result = waker == null ? doSend(span.array, start, bytes, dst, mai)
                : park(waker, doSendBounded(span.array, start, bytes, dst, mai));
        finish(lane, before, span, result);
    }

    long receive(Span span, long offset, long bytes, int src, int mai) {
        long start = startWritable(span, offset, bytes);
        Lanes.Lane lane = lanes.receiving(src, mai);
        Waker waker = waker();
        long before = lane.begin(span, start);
        long result = waker == null ? doReceive(span.array, start, bytes, src, mai)
                : park(waker, doReceiveBounded(span.array, start, bytes, src, mai));
        return finish(lane, before, span, result);
    }

    /** To be asked for before anything is under way; null: this thread may block. */
    private Waker waker() {
        return VirtualThreads.isCurrent() ? job.waker() : null;
    }

    /** Until it is over: bytes, or a code. */
    private long park(Waker waker, long begun) {
        long outcome = Outcome.goesOn(begun) ? waker.await(() -> FmplDoor.test(fmpl, begun))
                : begun;
        return Outcome.isComplete(outcome) ? Outcome.bytes(outcome) : outcome;
    }

    private long finish(Lanes.Lane lane, long before, Span span, long result) {
        lane.end(before, result == FmplDoor.BUSY);
        Reference.reachabilityFence(span);
        Reference.reachabilityFence(anchor);
        if (result < 0) {
            throw Errors.last(result);
        }
        return result;
    }

    long trim() {
        long bytes = SetupDoor.fmplTrim(fmpl);
        Reference.reachabilityFence(anchor);
        return Errors.check(bytes);
    }

    // Non-blocking. The caller is inside of the lane's request.

    long isend(Span span, long start, long bytes, int dst, int mai) {
        Lanes.Lane lane = lanes.sending(dst, mai);
        return keep(lane, span, start, doIsend(span.array, start, bytes, dst, mai));
    }

    long irecv(Span span, long start, long bytes, int src, int mai) {
        Lanes.Lane lane = lanes.receiving(src, mai);
        return keep(lane, span, start, doIrecv(span.array, start, bytes, src, mai));
    }

    private long keep(Lanes.Lane lane, Span span, long start, long outcome) {
        if (Outcome.goesOn(outcome)) {
            lane.keep(span, start);
        }
        Reference.reachabilityFence(span);
        Reference.reachabilityFence(anchor);
        return outcome;
    }

    /** The operation of a request is over: its buffer is the program's again. */
    void letGo(int peer, int mai, boolean sends) {
        (sends ? lanes.sending(peer, mai) : lanes.receiving(peer, mai)).letGo();
    }

    long test(long request) {
        long outcome = FmplDoor.test(fmpl, request);
        Reference.reachabilityFence(anchor);
        return outcome;
    }

    long await(long request) {
        long outcome = VirtualThreads.isCurrent()
                ? job.waker().await(() -> FmplDoor.test(fmpl, request))
                : FmplDoor.await(fmpl, request);
        Reference.reachabilityFence(anchor);
        return outcome;
    }

    int cancel(long request) {
        int rc = FmplDoor.cancel(fmpl, request);
        Reference.reachabilityFence(anchor);
        return rc;
    }

    /** Index of a request that is over, its outcome in outcome[0]. At least one is not 0. */
    int awaitAny(long[] requests, long[] outcome) {
        int index = VirtualThreads.isCurrent()
                ? awaitAnyParking(requests, outcome)
                : FmplDoor.waitAny(fmpl, requests, outcome);
        Reference.reachabilityFence(anchor);
        return (int) Errors.check(index >= 0 ? index : outcome[0]);
    }

    private int awaitAnyParking(long[] requests, long[] outcome) {
        int[] found = new int[1];
        outcome[0] = job.waker().await(() -> {
            for (int i = 0; i < requests.length; i++) {
                long result = requests[i] == 0 ? 1 : FmplDoor.test(fmpl, requests[i]);
                if (!Outcome.goesOn(result)) {
                    found[0] = i;
                    return result;
                }
            }
            return 1;
        });
        return found[0];
    }

    // Each by the door for native memory, or for that of an array, from whose beginning it starts.

    private long doSend(Object array, long start, long bytes, int dst, int mai) {
        return array == null ? FmplDoor.send(fmpl, start, bytes, dst, mai)
                : FmplDoor.sendArray(fmpl, array, start, bytes, dst, mai);
    }

    private long doReceive(Object array, long start, long bytes, int src, int mai) {
        return array == null ? FmplDoor.recv(fmpl, start, bytes, src, mai)
                : FmplDoor.recvArray(fmpl, array, start, bytes, src, mai);
    }

    private long doSendBounded(Object array, long start, long bytes, int dst, int mai) {
        return array == null ? FmplDoor.sendBounded(fmpl, start, bytes, dst, mai)
                : FmplDoor.sendArrayBounded(fmpl, array, start, bytes, dst, mai);
    }

    private long doReceiveBounded(Object array, long start, long bytes, int src, int mai) {
        return array == null ? FmplDoor.recvBounded(fmpl, start, bytes, src, mai)
                : FmplDoor.recvArrayBounded(fmpl, array, start, bytes, src, mai);
    }

    private long doIsend(Object array, long start, long bytes, int dst, int mai) {
        return array == null ? FmplDoor.isend(fmpl, start, bytes, dst, mai)
                : FmplDoor.isendArray(fmpl, array, start, bytes, dst, mai);
    }

    private long doIrecv(Object array, long start, long bytes, int src, int mai) {
        return array == null ? FmplDoor.irecv(fmpl, start, bytes, src, mai)
                : FmplDoor.irecvArray(fmpl, array, start, bytes, src, mai);
    }
}
