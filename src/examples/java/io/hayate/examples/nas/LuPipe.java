// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Fmpl;
import io.hayate.examples.Stopwatch;

/**
 * The way of a sweep through the ranks along x or y: of each plane, a line of points comes from the
 * rank that is before this one, and another goes to the next. Two planes may be under way: receives
 * are posted before the plane is needed, and sends end while the next plane is computed.
 */
final class LuPipe {
    private final Stopwatch communication;
    private final LuBox box;
    private final int direction;
    private final int before; // rank
    private final int next;
    private final LuPatch line;
    private final int ghosts; // where those of plane 0 begin
    private final int edge; // and the last own points
    private final Doubles[] incoming;
    private final Doubles[] outgoing;
    private final Transfer[] receives = new Transfer[2];
    private final Transfer[] sends = new Transfer[2];

    /** Along x (0) or y (1), upwards (`direction` 1) or downwards (-1). */
    LuPipe(NasJob job, LuRanks ranks, LuBox box, int axis, int direction) {
        communication = job.communication();
        this.box = box;
        this.direction = direction;
        before = ranks.neighbour(axis, -direction);
        next = ranks.neighbour(axis, direction);
        int across = 1 - axis;
        line = new LuPatch(1, 0, box.axis(across).own(), box.pitch(across));
        int origin = LuAxis.GHOSTS * box.pitch(across);
        int own = box.axis(axis).own();
        int low = LuAxis.GHOSTS - (direction > 0 ? 1 : 0);
        ghosts = origin + box.pitch(axis) * (direction > 0 ? low : low + own);
        edge = origin + box.pitch(axis) * (direction > 0 ? low + own : low);
        incoming = pair(job);
        outgoing = pair(job);
        for (int i = 0; i < 2; i++) {
            receives[i] = job.library().receive(incoming[i].all(), before, i);
            sends[i] = job.library().send(outgoing[i].all(), next, i);
        }
    }

    private Doubles[] pair(NasJob job) {
        return new Doubles[] {job.doubles(line.count()), job.doubles(line.count())};
    }

    /** Posts the receives of the first two planes. */
    void begin(int k) {
        if (before == Fmpl.NO_RANK) {
            return;
        }
        communication.start();
        expect(k);
        expect(k + direction);
        communication.stop();
    }

    /** Fills the ghosts of a plane. */
    void receive(double[][] fields, int k) {
        if (before == Fmpl.NO_RANK) {
            return;
        }
        communication.start();
        receives[k % 2].await();
        communication.stop();
        line.unpack(incoming[k % 2].values(), 0, fields, ghosts + k * box.pitch(2));
        communication.start();
        expect(k + 2 * direction);
        communication.stop();
    }

    void send(double[][] fields, int k) {
        if (next == Fmpl.NO_RANK) {
            return;
        }
        finish(k);
        line.pack(fields, edge + k * box.pitch(2), outgoing[k % 2].values(), 0);
        communication.start();
        sends[k % 2].start();
        communication.stop();
    }

    /** Waits for what is still being sent. */
    void end() {
        finish(0);
        finish(1);
    }

    private void expect(int k) {
        if (k >= box.z().begin() && k < box.z().end()) {
            receives[k % 2].start();
        }
    }

    private void finish(int k) {
        communication.start();
        sends[k % 2].await();
        communication.stop();
    }
}
