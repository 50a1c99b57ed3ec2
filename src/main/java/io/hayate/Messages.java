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
        Lanes.Lane lane = lanes.get(dst, mai);
        if (VirtualThreads.isCurrent()) {
            sendParking(span, start, bytes, dst, mai);
            return;
        }
        long before = lane.sending;
        if (span.root != null) {
            lane.sending = start;
        }
        int rc = span.array == null
                ? FmplDoor.send(fmpl, start, bytes, dst, mai)
                : FmplDoor.sendArray(fmpl, span.array, start, bytes, dst, mai);
        lane.sending = rc == FmplDoor.BUSY ? before : 0;
        Reference.reachabilityFence(span);
        Reference.reachabilityFence(anchor);
        if (rc != 0) {
            throw Errors.last(rc);
        }
    }

    long receive(Span span, long offset, long bytes, int src, int mai) {
        long start = startWritable(span, offset, bytes);
        Lanes.Lane lane = lanes.get(src, mai);
        if (VirtualThreads.isCurrent()) {
            return receiveParking(span, start, bytes, src, mai);
        }
        long before = lane.receiving;
        if (span.root != null) {
            lane.receiving = start;
        }
        long rc = span.array == null
                ? FmplDoor.recv(fmpl, start, bytes, src, mai)
                : FmplDoor.recvArray(fmpl, span.array, start, bytes, src, mai);
        lane.receiving = rc == FmplDoor.BUSY ? before : 0;
        Reference.reachabilityFence(span);
        Reference.reachabilityFence(anchor);
        if (rc < 0) {
            throw Errors.last(rc);
        }
        return rc;
    }

    private void sendParking(Span span, long start, long bytes, int dst, int mai) {
        Waker waker = job.waker();
        Lanes.Lane lane = lanes.get(dst, mai);
        long before = lane.sending;
        if (span.root != null) {
            lane.sending = start;
        }
        long outcome = span.array == null
                ? FmplDoor.sendBounded(fmpl, start, bytes, dst, mai)
                : FmplDoor.sendArrayBounded(fmpl, span.array, start, bytes, dst, mai);
        outcome = finish(waker, outcome, span);
        lane.sending = outcome == FmplDoor.BUSY ? before : 0;
        requireComplete(outcome);
    }

    private long receiveParking(Span span, long start, long bytes, int src, int mai) {
        Waker waker = job.waker();
        Lanes.Lane lane = lanes.get(src, mai);
        long before = lane.receiving;
        if (span.root != null) {
            lane.receiving = start;
        }
        long outcome = span.array == null
                ? FmplDoor.recvBounded(fmpl, start, bytes, src, mai)
                : FmplDoor.recvArrayBounded(fmpl, span.array, start, bytes, src, mai);
        outcome = finish(waker, outcome, span);
        lane.receiving = outcome == FmplDoor.BUSY ? before : 0;
        requireComplete(outcome);
        return Outcome.bytes(outcome);
    }

    private long finish(Waker waker, long outcome, Span span) {
        long result = outcome;
        if (Outcome.goesOn(outcome)) {
            result = waker.await(() -> FmplDoor.test(fmpl, outcome));
        }
        Reference.reachabilityFence(span);
        Reference.reachabilityFence(anchor);
        return result;
    }

    long trim() {
        long bytes = SetupDoor.fmplTrim(fmpl);
        Reference.reachabilityFence(anchor);
        return Errors.check(bytes);
    }

    private static void requireComplete(long outcome) {
        if (!Outcome.isComplete(outcome)) {
            throw Errors.last(outcome);
        }
    }

    // Non-blocking. The caller is inside of the lane's request.

    long isend(Span span, long start, long bytes, int dst, int mai) {
        Lanes.Lane lane = lanes.get(dst, mai);
        long outcome = span.array == null
                ? FmplDoor.isend(fmpl, start, bytes, dst, mai)
                : FmplDoor.isendArray(fmpl, span.array, start, bytes, dst, mai);
        if (Outcome.goesOn(outcome)) {
            lane.sendKept = span;
            lane.sending = span.root == null ? 0 : start;
        }
        Reference.reachabilityFence(span);
        Reference.reachabilityFence(anchor);
        return outcome;
    }

    long irecv(Span span, long start, long bytes, int src, int mai) {
        Lanes.Lane lane = lanes.get(src, mai);
        long outcome = span.array == null
                ? FmplDoor.irecv(fmpl, start, bytes, src, mai)
                : FmplDoor.irecvArray(fmpl, span.array, start, bytes, src, mai);
        if (Outcome.goesOn(outcome)) {
            lane.receiveKept = span;
            lane.receiving = span.root == null ? 0 : start;
        }
        Reference.reachabilityFence(span);
        Reference.reachabilityFence(anchor);
        return outcome;
    }

    /** The operation of a request is over: its buffer is the program's again. */
    void letGo(int peer, int mai, boolean sends) {
        Lanes.Lane lane = lanes.get(peer, mai);
        if (sends) {
            lane.sending = 0;
            lane.sendKept = null;
        } else {
            lane.receiving = 0;
            lane.receiveKept = null;
        }
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
}
