// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.HayateException;
import io.hayate.internal.bindings.LogBinding;
import io.hayate.internal.bindings.TellBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.jfr.Recorder;
import io.hayate.internal.job.Deadline;
import io.hayate.internal.job.Waker;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/**
 * The requests of the messages of one FMPL, which are created at first use, and waits for one of
 * several requests of any kind.
 *
 * @param <R> the type of a request in the program
 */
public final class Requests<R> {
    /** The most operations that a warning names. */
    private static final int NAMED = 3;
    /** Tests of requests of several kinds before the thread parks. */
    private static final int SPINS = 200;

    private final FmplContext context;
    private final Messages messages;
    private final Lanes lanes;
    private final Function<Operation, R> maker;
    private final Function<R, Operation> shown;
    private final AtomicReferenceArray<R> sends;
    private final AtomicReferenceArray<R> receives;

    /** The second function is the inverse of the first. */
    public Requests(FmplState fmpl, Function<Operation, R> maker, Function<R, Operation> shown) {
        context = fmpl.context();
        messages = fmpl.messages();
        lanes = messages.lanes();
        this.maker = maker;
        this.shown = shown;
        sends = new AtomicReferenceArray<>(lanes.length());
        receives = new AtomicReferenceArray<>(lanes.length());
        messages.setBackground(new Messages.Background() {
            @Override
            public void takeOver(int dst, int mai, long bytes, long outcome) {
                sendOf(dst, mai).takeOver(bytes, outcome);
            }

            @Override
            public boolean isOver(int dst, int mai) {
                return sendOf(dst, mai).isUnownedOver();
            }
        });
        fmpl.beforeClose(this::warnOfForgotten);
    }

    /**
     * Warns of operations that are in progress when the FMPL is closed, and for which no thread
     * waits: the program may believe that their messages have arrived.
     */
    private void warnOfForgotten() {
        StringJoiner names = new StringJoiner(", ");
        int count = 0;
        for (int i = 0; i < 2 * sends.length(); i++) {
            R request = (i % 2 == 0 ? sends : receives).getAcquire(i / 2);
            if (request != null && shown.apply(request).isForgotten() && count++ < NAMED) {
                names.add(shown.apply(request).toString());
            }
        }
        if (count > 0) {
            LogBinding.logWarn("Fmpl.close with " + count + (count == 1 ? " request" : " requests")
                    + " in progress, never awaited: " + names + (count > NAMED ? ", ..." : "")
                    + "; such messages can be lost: await each request before close");
        }
    }

    private MessageOperation sendOf(int dst, int mai) {
        return (MessageOperation) shown.apply(get(dst, mai, true));
    }

    /** Returns the request of a lane, always the same object. */
    public R get(int peer, int mai, boolean isSend) {
        int index = lanes.index(peer, mai);
        AtomicReferenceArray<R> table = isSend ? sends : receives;
        R request = table.getAcquire(index);
        if (request != null) {
            return request;
        }
        R made = maker.apply(new MessageOperation(messages, peer, mai, isSend));
        return table.compareAndSet(index, null, made) ? made : table.getAcquire(index);
    }

    /**
     * Waits for a complete request that was not reported before, and returns its index; -1: all
     * were reported.
     */
    public int awaitAny(Operation[] operations) {
        return Recorder.isOff() ? awaitAnyNow(operations)
                : (int) Recorder.record("requests", context.job().rank(), -1, -1, 0,
                        () -> awaitAnyNow(operations));
    }

    private int awaitAnyNow(Operation[] operations) {
        for (Operation operation : operations) {
            if (operation.context() != context) {
                throw Errors.argument("a request belongs to another Fmpl");
            }
        }
        int entered = 0;
        try {
            for (; entered < operations.length; entered++) {
                operations[entered].enter();
            }
            int index = awaitAnyInside(operations);
            if (index >= 0) {
                operations[index].report();
            }
            return index;
        } finally {
            while (entered > 0) {
                operations[--entered].leave();
            }
        }
    }

    private int awaitAnyInside(Operation[] operations) {
        boolean alive = false;
        boolean onlyMessages = true;
        for (int i = 0; i < operations.length; i++) {
            boolean active = operations[i].isActive();
            if (!active && operations[i].isUnreported()) {
                return i;
            }
            alive |= active;
            onlyMessages &= !active || operations[i] instanceof MessageOperation;
        }
        if (!alive) {
            return -1;
        }
        Deadline deadline = context.deadline();
        return onlyMessages ? awaitMessages(operations, deadline)
                : awaitMixed(operations, deadline);
    }

    private int awaitMessages(Operation[] operations, Deadline deadline) {
        MessageOperation[] all = new MessageOperation[operations.length];
        long[] handles = new long[all.length];
        for (int i = 0; i < all.length; i++) {
            if (operations[i] instanceof MessageOperation message) {
                all[i] = message;
                handles[i] = message.handle();
            }
        }
        long[] outcome = new long[1];
        int index = messages.awaitAny(all, handles, outcome, deadline);
        all[index].settle(outcome[0]);
        return index;
    }

    /** Tests each in turn. After some turns the thread parks until the bell of the rank rings. */
    private int awaitMixed(Operation[] operations, Deadline deadline) {
        for (int spins = 0; spins < SPINS; spins++) {
            int index = findComplete(operations);
            if (index >= 0) {
                return index;
            }
            Thread.onSpinWait();
        }
        Waker waker = context.job().waker(); // a result of at most 0 ends its wait
        long result = waker.await(() -> {
            int index = findComplete(operations);
            return index >= 0 ? -index : 1;
        }, (told, thread) -> TellBinding.requests(
                context.handle(), operations.length, told, thread), deadline);
        if (result > 0) {
            throw noneComplete(operations.length, deadline);
        }
        return (int) -result;
    }

    static HayateException noneComplete(int requests, Deadline deadline) {
        return deadline.exception("none of the " + requests + " requests is complete; they"
                + " continue, and can be awaited again", -1);
    }

    /** Advances all that are in progress up to the first that is complete; -1: none is. */
    private static int findComplete(Operation[] operations) {
        for (int i = 0; i < operations.length; i++) {
            Operation operation = operations[i];
            if (operation.isActive()) {
                operation.advance();
                if (!operation.isActive()) {
                    return i;
                }
            }
        }
        return -1;
    }
}
