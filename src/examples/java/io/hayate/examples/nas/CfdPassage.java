// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.List;

/**
 * Messages in one direction along an axis, again and again: planes to the neighbour there, and
 * planes from the one behind.
 */
final class CfdPassage {
    private static final int UPWARDS = 0; // tags
    private static final int DOWNWARDS = 1;

    private final NasJob job;
    private final List<CfdPlanes> sent;
    private final List<CfdPlanes> received;
    private final Doubles outgoing;
    private final Doubles incoming;
    private final Transfer send;
    private final Transfer receive;

    CfdPassage(NasJob job, CfdPartition partition, int axis, int direction, List<CfdPlanes> sent,
            List<CfdPlanes> received) {
        this.job = job;
        int source = partition.neighbour(axis, -direction);
        int target = partition.neighbour(axis, direction);
        int tag = direction > 0 ? UPWARDS : DOWNWARDS;
        this.sent = sent;
        this.received = received;
        outgoing = job.doubles(count(sent));
        incoming = job.doubles(count(received));
        send = job.library().send(outgoing.all(), target, tag);
        receive = job.library().receive(incoming.all(), source, tag);
    }

    private static int count(List<CfdPlanes> planes) {
        return planes.stream().mapToInt(CfdPlanes::count).sum();
    }

    /** Begins to receive. */
    void begin() {
        job.communication().start();
        receive.start();
        job.communication().stop();
    }

    /** Begins to send the planes as they are. */
    void send() {
        int next = 0;
        for (int i = 0; i < sent.size(); i++) {
            next = sent.get(i).pack(outgoing.values(), next);
        }
        job.communication().start();
        send.start();
        job.communication().stop();
    }

    /** Waits for both. */
    void finish() {
        job.communication().start();
        receive.await();
        send.await();
        job.communication().stop();
        int next = 0;
        for (int i = 0; i < received.size(); i++) {
            next = received.get(i).unpack(incoming.values(), next);
        }
    }
}
