// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** Fills the ghost planes at both ends of an axis of a level from the planes next to them. */
final class MgBorder {
    private final NasJob job;
    private final MgFace face;
    private final int last; // own plane
    private final MgNeighbour lower;
    private final MgNeighbour upper;

    MgBorder(NasJob job, MgFace face, int last, MgNeighbour lower, MgNeighbour upper) {
        this.job = job;
        this.face = face;
        this.last = last;
        this.lower = lower;
        this.upper = upper;
    }

    void exchange(double[] field) {
        if (lower.rank() == job.rank()) {
            face.copy(field, 1, last + 1);
            face.copy(field, last, 0);
        } else {
            exchangeWithOthers(field);
        }
    }

    private void exchangeWithOthers(double[] field) {
        job.communication().start();
        lower.receive().start();
        upper.receive().start();
        job.communication().stop();
        face.pack(field, 1, lower.outgoing());
        face.pack(field, last, upper.outgoing());
        job.communication().start();
        lower.send().start();
        upper.send().start();
        lower.receive().await();
        upper.receive().await();
        lower.send().await();
        upper.send().await();
        job.communication().stop();
        face.unpack(lower.incoming(), field, 0);
        face.unpack(upper.incoming(), field, last + 1);
    }
}
