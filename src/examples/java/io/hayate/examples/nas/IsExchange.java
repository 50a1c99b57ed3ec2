// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * Sends each rank its keys. How many they are changes from turn to turn, so that the keys cannot be
 * a prepared alltoallv: they follow an alltoall of counts.
 */
final class IsExchange implements AutoCloseable {
    private static final int COUNTS = 0; // a tag

    private final NasJob job;
    private final Ints outgoing;
    private final Ints incoming;
    private final Ints sentCounts;
    private final Ints receivedCounts;
    private final AllToAll exchangeCounts;
    private final int[] sends; // where the keys of each rank begin
    private final int[] receives;

    /** Collective. `incoming` has room for all that can come. */
    IsExchange(NasJob job, Ints outgoing, Ints incoming) {
        this.job = job;
        this.outgoing = outgoing;
        this.incoming = incoming;
        sentCounts = job.ints(job.size());
        receivedCounts = job.ints(job.size());
        exchangeCounts = new AllToAll(job, sentCounts.all(), receivedCounts.all(), COUNTS);
        sends = new int[job.size() + 1];
        receives = new int[job.size() + 1];
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
        job.library().exchange(outgoing, sends, incoming, receives);
        job.communication().stop();
        return receives[counts.length];
    }

    @Override
    public void close() {
        exchangeCounts.close();
    }
}
