// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.internal.Errors;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/**
 * The requests of one FMPL, which are created at first use, and waits for several of them.
 *
 * @param <R> the type of a request in the program
 */
public final class Requests<R> {
    private final Messages messages;
    private final Lanes lanes;
    private final Function<RequestState, R> maker;
    private final AtomicReferenceArray<R> sends;
    private final AtomicReferenceArray<R> receives;

    public Requests(FmplState fmpl, Function<RequestState, R> maker) {
        messages = fmpl.messages();
        lanes = messages.lanes();
        this.maker = maker;
        sends = new AtomicReferenceArray<>(lanes.length());
        receives = new AtomicReferenceArray<>(lanes.length());
    }

    /** Returns the request of a lane, always the same object. */
    public R get(int peer, int mai, boolean isSend) {
        int index = lanes.index(peer, mai);
        AtomicReferenceArray<R> table = isSend ? sends : receives;
        R request = table.getAcquire(index);
        if (request != null) {
            return request;
        }
        R made = maker.apply(new RequestState(messages, peer, mai, isSend));
        return table.compareAndSet(index, null, made) ? made : table.getAcquire(index);
    }

    /**
     * Waits for a complete request that was not reported before, and returns its index; -1: all
     * were reported.
     */
    public int awaitAny(RequestState[] requests) {
        for (RequestState request : requests) {
            if (!request.isOf(messages)) {
                throw Errors.argument("a request belongs to another Fmpl");
            }
        }
        int entered = 0;
        try {
            for (; entered < requests.length; entered++) {
                requests[entered].enter();
            }
            return awaitAnyInside(requests);
        } finally {
            while (entered > 0) {
                requests[--entered].leave();
            }
        }
    }

    private int awaitAnyInside(RequestState[] requests) {
        long[] handles = new long[requests.length];
        boolean alive = false;
        for (int i = 0; i < requests.length; i++) {
            handles[i] = requests[i].handle();
            alive |= handles[i] != 0;
            if (handles[i] == 0 && requests[i].isUnreported()) {
                requests[i].report();
                return i;
            }
        }
        if (!alive) {
            return -1;
        }
        long[] outcome = new long[1];
        int index = messages.awaitAny(requests, handles, outcome);
        requests[index].report(outcome[0]);
        return index;
    }
}
