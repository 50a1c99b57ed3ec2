// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Request;
import java.util.List;

/**
 * Messages in one direction along an axis, again and again: planes to the neighbour there, and
 * planes from the one behind.
 */
final class CfdPassage {
    private static final int UPWARDS = 0; // matching-area indices
    private static final int DOWNWARDS = 1;

    private final NasJob job;
    private final int source;
    private final int target;
    private final int mai;
    private final List<CfdPlanes> sent;
    private final List<CfdPlanes> received;
    private final Doubles outgoing;
    private final Doubles incoming;
    private final Request[] requests = new Request[2];

    CfdPassage(NasJob job, CfdPartition partition, int axis, int direction, List<CfdPlanes> sent,
            List<CfdPlanes> received) {
        this.job = job;
        source = partition.neighbour(axis, -direction);
        target = partition.neighbour(axis, direction);
        mai = direction > 0 ? UPWARDS : DOWNWARDS;
        this.sent = sent;
        this.received = received;
        outgoing = job.buffers().doubles(count(sent));
        incoming = job.buffers().doubles(count(received));
    }

    private static int count(List<CfdPlanes> planes) {
        return planes.stream().mapToInt(CfdPlanes::count).sum();
    }

    /** Begins to receive. */
    void begin() {
        job.communication().start();
        requests[0] = job.fmpl().irecv(incoming.span(), source, mai);
        job.communication().stop();
    }

    /** Begins to send the planes as they are. */
    void send() {
        int next = 0;
        for (int i = 0; i < sent.size(); i++) {
            next = sent.get(i).pack(outgoing.values(), next);
        }
        job.communication().start();
        requests[1] = job.fmpl().isend(outgoing.span(), target, mai);
        job.communication().stop();
    }

    /** Waits for both. */
    void finish() {
        job.communication().start();
        job.fmpl().waitAll(requests);
        job.communication().stop();
        int next = 0;
        for (int i = 0; i < received.size(); i++) {
            next = received.get(i).unpack(incoming.values(), next);
        }
    }
}
