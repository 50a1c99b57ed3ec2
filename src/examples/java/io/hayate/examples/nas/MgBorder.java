// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Request;

/** Fills the ghost planes at both ends of an axis of a level from the planes next to them. */
final class MgBorder {
    private final NasJob job;
    private final MgFace face;
    private final int last; // own plane
    private final MgNeighbour lower;
    private final MgNeighbour upper;
    private final Request[] requests = new Request[4];

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
        requests[0] = lower.receive();
        requests[1] = upper.receive();
        job.communication().stop();
        face.pack(field, 1, lower.outgoing());
        face.pack(field, last, upper.outgoing());
        job.communication().start();
        requests[2] = lower.send();
        requests[3] = upper.send();
        job.fmpl().waitAll(requests);
        job.communication().stop();
        face.unpack(lower.incoming(), field, 0);
        face.unpack(upper.incoming(), field, last + 1);
    }
}
