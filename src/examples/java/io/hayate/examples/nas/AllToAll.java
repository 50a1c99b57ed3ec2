// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** Block i of every rank's `from` becomes the block of that rank in `to` of rank i. */
final class AllToAll implements AutoCloseable {
    private final NasJob job;
    private final Action action;

    /** Collective. The parts are as many equal blocks as ranks; no other message has the tag. */
    AllToAll(NasJob job, Part from, Part to, int tag) {
        this.job = job;
        action = job.library().allToAll(from, to, tag);
    }

    /** Collective; allocates nothing. */
    void run() {
        job.communication().start();
        action.run();
        job.communication().stop();
    }

    @Override
    public void close() {
        action.close();
    }
}
