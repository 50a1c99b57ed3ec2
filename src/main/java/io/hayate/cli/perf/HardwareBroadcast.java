// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;

/** Measures broadcasts like {@link Broadcast}, by the fastest method of the machine. */
final class HardwareBroadcast extends Broadcast {
    HardwareBroadcast(Plan plan, Hayate job, Fmpl fmpl, Memory in, Memory out) {
        super(plan, job, fmpl, in, out);
    }

    @Override
    void broadcast(int root) {
        fmpl.hbcast(receives, root);
    }
}
