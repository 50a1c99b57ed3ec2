// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.ArgumentException;
import io.hayate.BusyException;
import io.hayate.HayateException;
import io.hayate.InterruptedWaitException;
import io.hayate.TimedOutException;
import io.hayate.internal.bindings.FmplBinding;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.bindings.TellBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.errors.Outcome;
import io.hayate.internal.jfr.Recorder;
import io.hayate.internal.job.Deadline;
import io.hayate.internal.job.Job;
import io.hayate.internal.job.Memory;
import io.hayate.internal.job.VirtualThreads;
import io.hayate.internal.job.Waker;
import io.hayate.internal.lifetime.FmplAnchor;
import java.lang.ref.Reference;
import java.util.function.LongSupplier;

/**
 * The point-to-point messages of one FMPL. Platform threads block in native code; virtual threads
 * make a bounded call, and park if the operation is not complete then.
 */
public final class Messages {
    /** The longest array. */
    private static final int COPIED = Integer.MAX_VALUE - 8;

    private final FmplContext context;
    private final Job job;
    private final FmplAnchor anchor;
    private final long fmpl;
    private final Lanes lanes;
    private volatile Background background; // set once, before the first send

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

    /** Returns when a wait without a limit of its own ends. */
    public Deadline deadline() {
        return context.deadline();
    }

    public int ranks() {
        return job.size();
    }

    Lanes lanes() {
        return lanes;
    }

    /** Takes over sends that outlive their blocking calls. */
    interface Background {
        void takeOver(int dst, int mai, long bytes, long outcome);

        /** Returns whether such a send is complete now, and no longer in the way. */
        boolean isOver(int dst, int mai);
    }

    void setBackground(Background only) {
        background = only;
    }

    // Blocking. A second operation on the lane gets BUSY and must not change the mark of the first
    // one.

    public void send(Memory memory, long offset, long bytes, int dst, int mai) {
        send(memory, offset, bytes, dst, mai, context.deadline());
    }

    /** The same with a time limit of its own. */
    public void send(Memory memory, long offset, long bytes, int dst, int mai, Deadline deadline) {
        if (Recorder.isOff()) {
            sendNow(memory, offset, bytes, dst, mai, deadline);
        } else {
            Recorder.record("send", job.rank(), dst, mai, bytes,
                    () -> sendNow(memory, offset, bytes, dst, mai, deadline));
        }
    }

    private void sendNow(Memory memory, long offset, long bytes, int dst, int mai,
            Deadline deadline) {
        long start = memory.sendable(job, offset, bytes);
        if (dst == job.rank() && endsEarly(deadline) && memory.isFreedByProgram()
                && bytes <= COPIED) {
            sendNow(memory.copy(offset, bytes), 0, bytes, dst, mai, deadline);
            return;
        }
        Lanes.Lane lane = lanes.sending(dst, mai);
        Waker waker = waker();
        long before = lane.begin(memory, start);
        try {
            long outcome = waker == null && deadline == Deadline.NONE
                    ? doSend(memory.array, start, bytes, dst, mai)
                    : Errors.check(FmplBinding.sendBounded(fmpl, memory.array, start, bytes, dst,
                            mai, waker == null ? deadline.turn() : 0));
            if (Outcome.goesOn(outcome)) {
                outcome = await(waker, outcome, deadline);
            }
            if (Outcome.goesOn(outcome)) {
                if (!memory.isFreedByProgram()) {
                    leave(lane, memory, start, bytes, dst, mai, outcome, deadline);
                }
                toTheEnd(waker, outcome);
            }
            over(lane, before, null, memory);
        } catch (InterruptedWaitException | TimedOutException left) {
            throw left;
        } catch (BusyException busy) {
            over(lane, before, busy, memory);
            if (!background.isOver(dst, mai)) {
                throw busy;
            }
            sendNow(memory, offset, bytes, dst, mai, deadline);
        } catch (HayateException | OutOfMemoryError failure) {
            over(lane, before, failure, memory);
            throw failure;
        }
    }

    /** Returns whether a limit, or an interrupt of a virtual thread, may end a blocking call. */
    private static boolean endsEarly(Deadline deadline) {
        return deadline != Deadline.NONE || VirtualThreads.isCurrent();
    }

    /** The peer may already read the memory: the send continues as a request. */
    private void leave(Lanes.Lane lane, Memory memory, long start, long bytes, int dst, int mai,
            long request, Deadline deadline) {
        lane.keep(memory, start);
        background.takeOver(dst, mai, bytes, request);
        throw deadline.exception("the send to rank " + dst + " with mai " + mai
                + " continues in the background; do not change its memory until another send with"
                + " this rank and mai is accepted", dst);
    }

    public long receive(Memory memory, long offset, long bytes, int src, int mai) {
        return receive(memory, offset, bytes, src, mai, context.deadline());
    }

    /** Checks a send to the null partner as any other, and does nothing. */
    public void sendNothing(Memory memory, long offset, long bytes, int mai) {
        memory.sendable(job, offset, bytes);
        lanes.index(0, mai);
        context.requireOpen();
    }

    /** The same for a receive; returns 0. */
    public long receiveNothing(Memory memory, long offset, long bytes, int mai) {
        memory.receivable(job, offset, bytes);
        lanes.index(0, mai);
        context.requireOpen();
        return 0;
    }

    /** The same with a time limit. */
    public long receive(Memory memory, long offset, long bytes, int src, int mai,
            Deadline deadline) {
        return Recorder.isOff() ? receiveNow(memory, offset, bytes, src, mai, deadline)
                : Recorder.record("receive", job.rank(), src, mai, bytes,
                        () -> receiveNow(memory, offset, bytes, src, mai, deadline));
    }

    private long receiveNow(Memory memory, long offset, long bytes, int src, int mai,
            Deadline deadline) {
        long start = memory.receivable(job, offset, bytes);
        Lanes.Lane lane = lanes.receiving(src, mai);
        Waker waker = waker();
        long before = lane.begin(memory, start);
        try {
            long outcome = waker == null && deadline == Deadline.NONE
                    ? doReceive(memory.array, start, bytes, src, mai)
                    : Errors.check(FmplBinding.recvBounded(fmpl, memory.array, start, bytes, src,
                            mai, waker == null ? deadline.turn() : 0));
            if (Outcome.goesOn(outcome)) {
                outcome = awaitOrWithdraw(waker, outcome, src, mai, deadline);
            }
            over(lane, before, null, memory);
            return Outcome.bytes(outcome);
        } catch (HayateException | OutOfMemoryError failure) {
            over(lane, before, failure, memory);
            throw failure;
        }
    }

    /** If it is over before the message comes, withdraws the receive: nothing is lost. */
    private long awaitOrWithdraw(Waker waker, long request, int src, int mai, Deadline deadline) {
        long outcome = await(waker, request, deadline);
        if (!Outcome.goesOn(outcome)) {
            return outcome;
        }
        if (Errors.check(FmplBinding.cancel(fmpl, request)) != 0) {
            throw deadline.exception("no message from rank " + src + " with mai " + mai
                    + " has come; the receive was withdrawn, and the next one gets the message",
                    src);
        }
        return toTheEnd(waker, request); // its data already arrive
    }

    /** Waits while the peer uses memory that the program may free; its death ends this, too. */
    private long toTheEnd(Waker waker, long request) {
        return waker == null ? Errors.check(FmplBinding.await(fmpl, request, 0))
                : park(waker, request, null);
    }

    /**
     * Returns the waker, which must be requested before an operation is in progress; null: this
     * thread may block.
     */
    private Waker waker() {
        return VirtualThreads.isCurrent() ? job.waker() : null;
    }

    /** Waits until the deadline; returns the outcome, above 0 if it is not complete. */
    private long await(Waker waker, long request, Deadline deadline) {
        return waker == null ? block(request, deadline) : park(waker, request, deadline);
    }

    private long block(long request, Deadline deadline) {
        long outcome = request;
        while (Outcome.goesOn(outcome) && !deadline.isOver()) {
            outcome = Errors.check(FmplBinding.await(fmpl, request, deadline.turn()));
        }
        return outcome;
    }

    /**
     * Parks until the deadline; null: until the end, because the buffer is in use. If there is no
     * memory to park, it polls until the end.
     */
    private long park(Waker waker, long request, Deadline deadline) {
        try {
            LongSupplier test = () -> Errors.check(FmplBinding.test(fmpl, request));
            return deadline == null ? waker.await(test, teller(request))
                    : waker.await(test, teller(request), deadline);
        } catch (OutOfMemoryError full) {
            return finish(request, full);
        }
    }

    private Waker.Teller teller(long request) {
        return (told, thread) -> TellBinding.request(fmpl, request, told, thread);
    }

    private long finish(long request, OutOfMemoryError full) {
        try {
            long outcome;
            do {
                Thread.yield(); // the peer may need this carrier
                outcome = Errors.check(FmplBinding.test(fmpl, request));
            } while (Outcome.goesOn(outcome));
            return outcome;
        } catch (ArgumentException over) {
            throw full; // there was no memory for the exception of the operation
        }
    }

    /** Waits for a message; returns its length. */
    public long probe(int src, int mai, Deadline deadline) {
        long length = probeNow(src, mai);
        if (length >= 0) {
            return length;
        }
        return Recorder.isOff() ? awaitProbe(src, mai, deadline)
                : Recorder.record("probe", job.rank(), src, mai, 0,
                        () -> awaitProbe(src, mai, deadline));
    }

    private long awaitProbe(int src, int mai, Deadline deadline) {
        long outcome = watch(nanos -> Errors.check(FmplBinding.probe(fmpl, src, mai, nanos)),
                deadline);
        if (Outcome.goesOn(outcome)) {
            throw deadline.exception("no message from rank " + src + " with mai " + mai
                    + " has come", src);
        }
        return Outcome.bytes(outcome);
    }

    /** Returns the length of a message that has come; -1: none has. Never blocks. */
    public long probeNow(int src, int mai) {
        lanes.index(src, mai);
        long outcome = Errors.check(FmplBinding.probe(fmpl, src, mai, 0));
        Reference.reachabilityFence(anchor);
        return Outcome.goesOn(outcome) ? -1 : Outcome.bytes(outcome);
    }

    /** Before a wait for messages from any source with one of these mais. */
    public Mais listen(int[] mais) {
        Mais all = new Mais(mais);
        for (int i = 0; i < all.count(); i++) {
            lanes.index(0, all.get(i));
            Errors.check(FmplBinding.listen(fmpl, all.get(i)));
        }
        Reference.reachabilityFence(anchor);
        return all;
    }

    /**
     * Waits for a message from any source, and returns the next place from {@code from} on: index
     * of the mai * ranks + source.
     */
    public int probeAny(Mais mais, int from, Deadline deadline) {
        int place = probeAnyNow(mais, from);
        if (place >= 0) {
            return place;
        }
        return (int) (Recorder.isOff() ? awaitProbeAny(mais, from, deadline)
                : Recorder.record("probe", job.rank(), -1, mais.single(), 0,
                        () -> awaitProbeAny(mais, from, deadline)));
    }

    private long awaitProbeAny(Mais mais, int from, Deadline deadline) {
        long outcome = watch(nanos -> lookAny(mais, from, nanos), deadline);
        if (Outcome.goesOn(outcome)) {
            throw deadline.exception("no message with " + mais + " has come from any rank", -1);
        }
        return Outcome.bytes(outcome);
    }

    /** Returns a place whose message has come; -1: none has. Never blocks. */
    public int probeAnyNow(Mais mais, int from) {
        long outcome = lookAny(mais, from, 0);
        Reference.reachabilityFence(anchor);
        return Outcome.goesOn(outcome) ? -1 : (int) Outcome.bytes(outcome);
    }

    private long lookAny(Mais mais, int from, long nanos) {
        long outcome = Errors.check(
                FmplBinding.probeAny(fmpl, mais.address, mais.count(), from, nanos));
        Reference.reachabilityFence(mais);
        return outcome;
    }

    /** A call that looks for {@code nanos}; 0: once. */
    private interface Look {
        long at(long nanos);
    }

    /** Returns the outcome, above 0 if nothing was found before the deadline. */
    private long watch(Look look, Deadline deadline) {
        Waker waker = waker();
        long outcome = 1;
        if (waker != null) {
            outcome = waker.await(() -> look.at(0), Waker.SILENT, deadline);
        }
        while (Outcome.goesOn(outcome) && !deadline.isOver()) {
            outcome = look.at(deadline.turn());
        }
        Reference.reachabilityFence(anchor);
        return outcome;
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

    /** Returns an outcome above 0 if it is not complete at the deadline. */
    long await(Pending request, Deadline deadline) {
        Waker waker = waker();
        long outcome = waker == null ? block(request, deadline)
                : waker.await(() -> look(request), teller(request.handle()), deadline);
        Reference.reachabilityFence(anchor);
        return outcome;
    }

    private long block(Pending request, Deadline deadline) {
        long outcome;
        do {
            outcome = FmplBinding.await(fmpl, request.handle(), deadline.turn());
            request.seen(outcome, Errors.failureIfRoom(outcome));
        } while (Outcome.goesOn(outcome) && !deadline.isOver());
        return outcome;
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
    int awaitAny(Pending[] requests, long[] handles, long[] outcome, Deadline deadline) {
        Waker waker = waker();
        int index = waker == null ? blockForAny(requests, handles, outcome, deadline)
                : parkForAny(waker, requests, handles, outcome, deadline);
        Reference.reachabilityFence(anchor);
        return index;
    }

    private int blockForAny(Pending[] requests, long[] handles, long[] outcome,
            Deadline deadline) {
        int index;
        HayateException failure;
        do {
            index = FmplBinding.waitAny(fmpl, handles, deadline.turn(), outcome);
            failure = Errors.failureIfRoom(outcome[0]);
        } while (Outcome.goesOn(outcome[0]) && !deadline.isOver());
        if (Outcome.goesOn(outcome[0])) {
            throw Requests.noneComplete(requests.length, deadline);
        }
        if (index >= 0) {
            requests[index].seen(outcome[0], failure);
            return index;
        }
        throw failure != null ? failure
                : Errors.exception((int) outcome[0], "no request was waited for", -1);
    }

    private int parkForAny(Waker waker, Pending[] requests, long[] handles, long[] outcome,
            Deadline deadline) {
        int[] found = new int[1];
        outcome[0] = waker.await(() -> {
            for (int i = 0; i < requests.length; i++) {
                long result = handles[i] == 0 ? 1 : look(requests[i]);
                if (!Outcome.goesOn(result)) {
                    found[0] = i;
                    return result;
                }
            }
            return 1;
        }, (told, thread) -> TellBinding.requests(fmpl, requests.length, told, thread),
                deadline);
        if (Outcome.goesOn(outcome[0])) {
            throw Requests.noneComplete(requests.length, deadline);
        }
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
}
