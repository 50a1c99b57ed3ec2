// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Span;
import io.hayate.examples.Stopwatch;

/**
 * A sum (or another reduction) of all members' data at one place, again and again: prepared with
 * `--persistent`, else an allreduce of Fmpl.
 */
final class Sum implements AutoCloseable {
    private final Fmpl fmpl;
    private final Communicator members;
    private final Span data;
    private final Reduction reduction;
    private final Stopwatch communication;
    private final PersistentOperation prepared;

    /** Collective over the members. */
    Sum(NasJob job, Communicator members, Span data, Reduction reduction) {
        fmpl = job.fmpl();
        this.members = members;
        this.data = data;
        this.reduction = reduction;
        communication = job.communication();
        prepared = job.options().persistent() ? PersistentColl.on(members)
                .allreduce(data, reduction, job.options().collective()) : null;
    }

    /** Makes the parts of all members their sum. Collective; allocates nothing. */
    void run() {
        communication.start();
        if (prepared == null) {
            fmpl.allreduce(data, reduction, members);
        } else {
            prepared.start();
            prepared.await();
        }
        communication.stop();
    }

    @Override
    public void close() {
        if (prepared != null) {
            prepared.close();
        }
    }
}
