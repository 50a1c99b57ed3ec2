// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Fmpl;
import io.hayate.Request;
import io.hayate.Span;

/** An alltoall that is a message for each pair of ranks, its own block too. */
final class Pairs implements Action {
    private final Fmpl fmpl;
    private final int rank;
    private final int ranks;
    private final Span from;
    private final Span to;
    private final int mai;
    private final long block; // bytes
    private final Request[] requests;

    /** The spans are as many equal blocks as there are ranks; no other message uses the mai. */
    Pairs(Fmpl fmpl, int rank, int ranks, Span from, Span to, int mai) {
        this.fmpl = fmpl;
        this.rank = rank;
        this.ranks = ranks;
        this.from = from;
        this.to = to;
        this.mai = mai;
        block = from.bytes() / ranks;
        requests = new Request[2 * ranks];
    }

    /** In each step everybody sends to another one. */
    @Override
    public void run() {
        for (int step = 0; step < ranks; step++) {
            int source = (rank + ranks - step) % ranks;
            requests[step] = fmpl.irecv(to, source * block, block, source, mai);
        }
        for (int step = 0; step < ranks; step++) {
            int target = (rank + step) % ranks;
            requests[ranks + step] = fmpl.isend(from, target * block, block, target, mai);
        }
        fmpl.waitAll(requests);
    }

    @Override
    public void close() {
        // nothing was taken
    }
}
