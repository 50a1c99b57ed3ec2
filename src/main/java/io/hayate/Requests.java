// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The requests of one FMPL, made at first use, and waiting for several of them. */
final class Requests {
    private final Fmpl fmpl;
    private final Messages messages;
    private final Lanes lanes;
    private final AtomicReferenceArray<Request> sends;
    private final AtomicReferenceArray<Request> receives;

    Requests(Fmpl fmpl, Messages messages, Lanes lanes) {
        this.fmpl = fmpl;
        this.messages = messages;
        this.lanes = lanes;
        sends = new AtomicReferenceArray<>(lanes.length());
        receives = new AtomicReferenceArray<>(lanes.length());
    }

    Request get(int peer, int mai, boolean isSend) {
        int index = lanes.index(peer, mai);
        AtomicReferenceArray<Request> table = isSend ? sends : receives;
        Request request = table.getAcquire(index);
        if (request != null) {
            return request;
        }
        Request made = new Request(fmpl, messages, peer, mai, isSend);
        return table.compareAndSet(index, null, made) ? made : table.getAcquire(index);
    }

    static void awaitAll(Request[] requests) {
        HayateException first = null;
        for (Request request : requests) {
            try {
                Errors.required(request, "request").await();
            } catch (HayateException e) {
                first = Errors.join(first, e);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    int awaitAny(Request[] requests) {
        for (Request request : requests) {
            if (Errors.required(request, "request").fmpl != fmpl) {
                throw Errors.argument("a request of another Fmpl");
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

    private int awaitAnyInside(Request[] requests) {
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
