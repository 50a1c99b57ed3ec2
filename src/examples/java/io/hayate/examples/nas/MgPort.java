// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * Memory for the planes that go to and come from the neighbours on one side. All axes and levels
 * use it in turn: of each, no more than one plane either way is under way.
 */
final class MgPort {
    private static final int UPWARDS = 0; // tags
    private static final int DOWNWARDS = 1;

    private final NasLibrary library;
    private final Doubles outgoing;
    private final Doubles incoming;
    private final int sentTag;
    private final int receivedTag;

    /** For planes of up to `most` points, to neighbours upwards (1) or downwards (-1). */
    MgPort(NasJob job, int most, int direction) {
        library = job.library();
        outgoing = job.doubles(most);
        incoming = job.doubles(most);
        sentTag = direction > 0 ? UPWARDS : DOWNWARDS;
        receivedTag = direction > 0 ? DOWNWARDS : UPWARDS;
    }

    /** The way to a neighbour with which planes of `count` points are exchanged. */
    MgNeighbour to(int rank, int count) {
        return new MgNeighbour(rank, outgoing.values(),
                library.send(outgoing.part(0, count), rank, sentTag), incoming.values(),
                library.receive(incoming.part(0, count), rank, receivedTag));
    }
}
