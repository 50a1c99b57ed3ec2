// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Fmpl;
import java.util.ArrayList;
import java.util.List;

/**
 * Symmetric successive over-relaxation (SSOR) towards the flow that a forcing term balances: in a
 * step, a sweep goes up through the planes and another down, each from rank to rank along x and y,
 * as many planes behind as there are ranks before. Collective; allocates nothing.
 */
final class LuSolver {
    private final LuFlow flow;
    private final LuBox box;
    private final LuOperator operator;
    private final LuSweep sweep;
    private final double[][] forcing;
    private final double[][] residual; // 0 on the boundary of the cube and outside
    private final LuHalo[] halos; // those that there are
    private final LuPipe[] up = new LuPipe[2];
    private final LuPipe[] down = new LuPipe[2];

    /** The forcing term is that of the exact solution, with an error or without. */
    LuSolver(NasJob job, LuRanks ranks, LuFlow flow, double timeStep) {
        this.flow = flow;
        box = flow.box();
        operator = new LuOperator(flow);
        forcing = new double[CfdExact.COMPONENTS][box.length()];
        residual = new double[CfdExact.COMPONENTS][box.length()];
        sweep = new LuSweep(flow, residual, timeStep);
        halos = halos(job, ranks, box);
        for (int axis = 0; axis < up.length; axis++) {
            up[axis] = new LuPipe(job, ranks, box, axis, 1);
            down[axis] = new LuPipe(job, ranks, box, axis, -1);
        }
        flow.setExact();
        operator.addTo(forcing);
        if (job.isDamaged()) {
            forcing[0][box.row(box.y().begin(), box.z().begin()) + box.x().begin()] += 1;
        }
    }

    private static LuHalo[] halos(NasJob job, LuRanks ranks, LuBox box) {
        List<LuHalo> halos = new ArrayList<>();
        for (int axis = 0; axis < 2; axis++) {
            for (int direction = -1; direction <= 1; direction += 2) {
                if (ranks.neighbour(axis, direction) != Fmpl.NO_RANK) {
                    halos.add(new LuHalo(job, ranks, box, axis, direction));
                }
            }
        }
        return halos.toArray(new LuHalo[0]);
    }

    double[][] residual() {
        return residual;
    }

    /** Begins with the guess. */
    void begin() {
        flow.setGuess();
        computeResidual();
    }

    void step() {
        sweepUp();
        sweepDown();
        exchange();
        flow.derive();
        computeResidual();
    }

    private void sweepUp() {
        int first = box.z().begin();
        begin(up, first);
        for (int k = first; k < box.z().end(); k++) {
            receive(up, k);
            sweep.up(k);
            send(up, k);
        }
        end(up);
    }

    private void sweepDown() {
        int first = box.z().end() - 1;
        begin(down, first);
        for (int k = first; k >= box.z().begin(); k--) {
            receive(down, k);
            sweep.down(k);
            send(down, k);
        }
        end(down);
    }

    private void exchange() {
        for (LuHalo halo : halos) {
            halo.begin();
        }
        for (LuHalo halo : halos) {
            halo.send(flow.state());
        }
        for (LuHalo halo : halos) {
            halo.end(flow.state());
        }
    }

    private void computeResidual() {
        for (int m = 0; m < residual.length; m++) {
            for (int at = 0; at < residual[m].length; at++) {
                residual[m][at] = -forcing[m][at];
            }
        }
        operator.addTo(residual);
    }

    private static void begin(LuPipe[] pipes, int k) {
        for (LuPipe pipe : pipes) {
            pipe.begin(k);
        }
    }

    private void receive(LuPipe[] pipes, int k) {
        for (LuPipe pipe : pipes) {
            pipe.receive(residual, k);
        }
    }

    private void send(LuPipe[] pipes, int k) {
        for (LuPipe pipe : pipes) {
            pipe.send(residual, k);
        }
    }

    private static void end(LuPipe[] pipes) {
        for (LuPipe pipe : pipes) {
            pipe.end();
        }
    }
}
