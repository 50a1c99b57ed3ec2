// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.CollOptions;
import io.hayate.Fmpl;
import io.hayate.HeapSpan;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;

/**
 * One way between planes and pencils: for each batch an alltoall that is prepared once and may be
 * under way while other batches are computed.
 */
final class Transposition implements AutoCloseable {
    private final PersistentColl collectives;
    private final PersistentOperation[] batches;
    private final Stopwatch communication;

    /** Collective. */
    Transposition(Fmpl fmpl, Slabs slabs, HeapSpan from, HeapSpan to, CollOptions options,
            Stopwatch communication) {
        this.communication = communication;
        collectives = PersistentColl.on(fmpl.world());
        batches = new PersistentOperation[slabs.batches()];
        long bytes = slabs.batchBytes();
        for (int i = 0; i < batches.length; i++) {
            batches[i] = collectives.alltoall(
                    from.slice(i * bytes, bytes), to.slice(i * bytes, bytes), options);
        }
    }

    /** Its blocks are written and stay as they are until finish(). */
    void start(int batch) {
        communication.start();
        batches[batch].start();
        communication.stop();
    }

    /** Lets what was started get on. */
    void progress() {
        communication.start();
        collectives.progress();
        communication.stop();
    }

    /** All batches, each of them started, have come, and what was sent may be overwritten. */
    void finish() {
        communication.start();
        PersistentOperation.awaitAll(batches);
        communication.stop();
    }

    String describe() {
        return batches[0].describe();
    }

    @Override
    public void close() {
        for (PersistentOperation batch : batches) {
            batch.close();
        }
    }
}
