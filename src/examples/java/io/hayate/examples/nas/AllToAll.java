// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Request;
import io.hayate.Span;

/**
 * Block i of every rank's `from` becomes the block of that rank in `to` of rank i, again and again:
 * prepared with `--persistent`, else a message for each pair of ranks, its own block too.
 */
final class AllToAll implements AutoCloseable {
    private final NasJob job;
    private final int mai;
    private final Span from;
    private final Span to;
    private final long block; // bytes
    private final Request[] requests;
    private final PersistentOperation prepared;

    /** Collective. The spans are as many equal blocks as there are ranks; no other uses the mai. */
    AllToAll(NasJob job, Span from, Span to, int mai) {
        this.job = job;
        this.from = from;
        this.to = to;
        this.mai = mai;
        block = from.bytes() / job.size();
        requests = new Request[2 * job.size()];
        prepared = job.options().persistent() ? PersistentColl.on(job.world())
                .alltoall(from, to, job.options().collective()) : null;
    }

    /** Collective; allocates nothing. */
    void run() {
        job.communication().start();
        if (prepared == null) {
            exchange();
        } else {
            prepared.start();
            prepared.await();
        }
        job.communication().stop();
    }

    /** In each step everybody sends to another one. */
    private void exchange() {
        int ranks = job.size();
        for (int step = 0; step < ranks; step++) {
            int source = (job.rank() + ranks - step) % ranks;
            requests[step] = job.fmpl().irecv(to, source * block, block, source, mai);
        }
        for (int step = 0; step < ranks; step++) {
            int target = (job.rank() + step) % ranks;
            requests[ranks + step] = job.fmpl().isend(from, target * block, block, target, mai);
        }
        job.fmpl().waitAll(requests);
    }

    @Override
    public void close() {
        if (prepared != null) {
            prepared.close();
        }
    }
}
