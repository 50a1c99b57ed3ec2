// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * How a rank that slept on the coarser level, having no point there, gets what its lower neighbour
 * on an axis interpolated for it: the only own plane of the one is the upper ghost plane of the
 * other, which has one own plane as well.
 */
final class MgAwakening {
    private static final int OWN = 1;
    private static final int UPPER_GHOST = 2;

    private final NasJob job;
    private final MgFace face;
    private final MgNeighbour sleeper; // or null: it is this rank
    private final MgNeighbour waker;

    private MgAwakening(NasJob job, MgFace face, MgNeighbour sleeper, MgNeighbour waker) {
        this.job = job;
        this.face = face;
        this.sleeper = sleeper;
        this.waker = waker;
    }

    static MgAwakening of(NasJob job, MgFace face, MgNeighbour sleeper) {
        return new MgAwakening(job, face, sleeper, null);
    }

    static MgAwakening by(NasJob job, MgFace face, MgNeighbour waker) {
        return new MgAwakening(job, face, null, waker);
    }

    void run(double[] field) {
        if (sleeper != null) {
            wake(field);
        } else {
            awaken(field);
        }
    }

    private void wake(double[] field) {
        face.pack(field, UPPER_GHOST, sleeper.outgoing());
        job.communication().start();
        sleeper.send().run();
        job.communication().stop();
    }

    private void awaken(double[] field) {
        job.communication().start();
        waker.receive().run();
        job.communication().stop();
        face.unpack(waker.incoming(), field, OWN);
    }
}
