// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.examples.Stopwatch;

/** A sum of all members' data at one place, again and again. */
final class Sum implements AutoCloseable {
    private final Stopwatch communication;
    private final Action action;

    /** Collective over the members. */
    Sum(NasJob job, NasLibrary.Members members, Part data) {
        communication = job.communication();
        action = job.library().sum(data, members);
    }

    /** Collective over all ranks. */
    Sum(NasJob job, Part data) {
        this(job, job.library().world(), data);
    }

    /** Makes the parts of all members their sum. Collective; allocates nothing. */
    void run() {
        communication.start();
        action.run();
        communication.stop();
    }

    @Override
    public void close() {
        action.close();
    }
}
