// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Fmpl;

/**
 * Memory for the planes that go to and come from the neighbours on one side. All axes and levels
 * use it in turn: of each, no more than one plane either way is under way.
 */
final class MgPort {
    private static final int UPWARDS = 0; // matching-area indices
    private static final int DOWNWARDS = 1;

    private final Fmpl fmpl;
    private final Doubles outgoing;
    private final Doubles incoming;
    private final int sentMai;
    private final int receivedMai;

    /** For planes of up to `most` points, to neighbours upwards (1) or downwards (-1). */
    MgPort(NasJob job, int most, int direction) {
        fmpl = job.fmpl();
        outgoing = job.buffers().doubles(most);
        incoming = job.buffers().doubles(most);
        sentMai = direction > 0 ? UPWARDS : DOWNWARDS;
        receivedMai = direction > 0 ? DOWNWARDS : UPWARDS;
    }

    /** The way to a neighbour with which planes of `count` points are exchanged. */
    MgNeighbour to(int rank, int count) {
        return new MgNeighbour(fmpl, rank, outgoing.values(), outgoing.part(0, count), sentMai,
                incoming.values(), incoming.part(0, count), receivedMai);
    }
}
