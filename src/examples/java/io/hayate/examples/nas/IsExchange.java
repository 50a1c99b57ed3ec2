// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Fmpl;
import io.hayate.Request;

/**
 * Sends each rank its keys. How many they are changes from turn to turn, so that the keys cannot be
 * a prepared alltoallv: they are a message for each pair of ranks, after an alltoall of counts.
 */
final class IsExchange implements AutoCloseable {
    private static final int COUNTS = 0; // matching-area indices
    private static final int KEYS = 1;

    private final NasJob job;
    private final Ints outgoing;
    private final Ints incoming;
    private final Ints sentCounts;
    private final Ints receivedCounts;
    private final AllToAll exchangeCounts;
    private final int[] sends; // where the keys of each rank begin
    private final int[] receives;
    private final Request[] requests;

    /** Collective. `incoming` has room for all that can come. */
    IsExchange(NasJob job, Ints outgoing, Ints incoming) {
        this.job = job;
        this.outgoing = outgoing;
        this.incoming = incoming;
        sentCounts = job.buffers().ints(job.size());
        receivedCounts = job.buffers().ints(job.size());
        exchangeCounts = new AllToAll(job, sentCounts.span(), receivedCounts.span(), COUNTS);
        sends = new int[job.size() + 1];
        receives = new int[job.size() + 1];
        requests = new Request[2 * (job.size() - 1)];
    }

    /** Sends, one after the other, `counts[i]` keys to rank i; how many came. Collective. */
    int run(int[] counts) {
        sentCounts.values().put(0, counts);
        exchangeCounts.run();
        for (int i = 0; i < counts.length; i++) {
            sends[i + 1] = sends[i] + counts[i];
            receives[i + 1] = receives[i] + receivedCounts.values().get(i);
        }
        job.communication().start();
        exchangeKeys();
        job.communication().stop();
        return receives[counts.length];
    }

    /** In each step everybody sends to another one; the own keys need no message. */
    private void exchangeKeys() {
        int ranks = job.size();
        int own = job.rank();
        for (int step = 1; step < ranks; step++) {
            requests[step - 1] = receive((own + ranks - step) % ranks);
        }
        for (int step = 1; step < ranks; step++) {
            requests[ranks - 2 + step] = send((own + step) % ranks);
        }
        incoming.values().put(receives[own], outgoing.values(), sends[own],
                sends[own + 1] - sends[own]);
        job.fmpl().waitAll(requests);
    }

    private Request receive(int source) {
        Fmpl fmpl = job.fmpl();
        return fmpl.irecv(incoming.span(), bytes(receives[source]),
                bytes(receives[source + 1] - receives[source]), source, KEYS);
    }

    private Request send(int target) {
        Fmpl fmpl = job.fmpl();
        return fmpl.isend(outgoing.span(), bytes(sends[target]),
                bytes(sends[target + 1] - sends[target]), target, KEYS);
    }

    private static long bytes(int keys) {
        return (long) keys * Integer.BYTES;
    }

    @Override
    public void close() {
        exchangeCounts.close();
    }
}
