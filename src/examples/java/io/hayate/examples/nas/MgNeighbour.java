// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Fmpl;
import io.hayate.Request;
import io.hayate.Span;
import java.nio.DoubleBuffer;

/** A neighbour across a face of a level: who it is, and the planes to it and from it. */
record MgNeighbour(Fmpl fmpl, int rank, DoubleBuffer outgoing, Span sent, int sentMai,
        DoubleBuffer incoming, Span received, int receivedMai) {
    /** `outgoing` is not to be changed until the request is over. */
    Request send() {
        return fmpl.isend(sent, rank, sentMai);
    }

    /** `incoming` is not to be used until the request is over. */
    Request receive() {
        return fmpl.irecv(received, rank, receivedMai);
    }
}
