// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.ArrayList;
import java.util.List;

/** A rank's part of the grid of one level: its fields, and its ways to its neighbours. */
final class MgLevel {
    private final NasJob job;
    private final MgRanks ranks;
    private final int points;
    private final MgPort below;
    private final MgPort above;
    private final MgBox box;
    private final boolean awake;
    private final boolean unfolded; // some that are awake here sleep on the next coarser level
    private final double[] solution;
    private final double[] residual;
    private final MgBorder[] borders;
    private final MgAwakening[] awakenings;

    /** `points` on a side; the ports are those to the neighbours below and above. */
    MgLevel(NasJob job, MgRanks ranks, int points, MgPort below, MgPort above) {
        this.job = job;
        this.ranks = ranks;
        this.points = points;
        this.below = below;
        this.above = above;
        box = ranks.box(points);
        awake = ranks.isAwake(points);
        unfolded = ranks.axes().stream().anyMatch(axis -> axis.isFolded(points / 2));
        solution = new double[awake ? box.length() : 0];
        residual = new double[solution.length];
        borders = new MgBorder[awake ? MgRanks.AXES : 0];
        for (int axis = 0; axis < borders.length; axis++) {
            borders[axis] = border(axis);
        }
        awakenings = awake ? awakenings() : new MgAwakening[0];
    }

    MgBox box() {
        return box;
    }

    double[] solution() {
        return solution;
    }

    double[] residual() {
        return residual;
    }

    /** Has this rank points here? */
    boolean isAwake() {
        return awake;
    }

    /** Fills the ghost points of a field, axis by axis, so that edges and corners come along. */
    void exchange(double[] field) {
        for (MgBorder border : borders) {
            border.exchange(field);
        }
    }

    /**
     * Gives the solution to the ranks that sleep on the next coarser level, once those that do not
     * have it, ghosts and all.
     */
    void awaken() {
        for (MgAwakening awakening : awakenings) {
            awakening.run(solution);
        }
        if (unfolded) {
            exchange(solution);
        }
    }

    private MgBorder border(int axis) {
        MgFace face = new MgFace(box, axis, axis);
        return new MgBorder(job, face, box.own(axis), lower(axis, face), upper(axis, face));
    }

    private MgNeighbour lower(int axis, MgFace face) {
        return below.to(ranks.neighbour(axis, points, -1), face.count());
    }

    private MgNeighbour upper(int axis, MgFace face) {
        return above.to(ranks.neighbour(axis, points, 1), face.count());
    }

    /** Along x, then y, then z, each from all that are awake by then. */
    private MgAwakening[] awakenings() {
        List<MgAwakening> found = new ArrayList<>();
        for (int axis = 0; axis < MgRanks.AXES; axis++) {
            if (ranks.axis(axis).isFolded(points / 2) && ranks.isAwakeAfter(axis, points / 2)) {
                found.add(awakening(axis));
            }
        }
        return found.toArray(new MgAwakening[0]);
    }

    private MgAwakening awakening(int axis) {
        MgFace face = new MgFace(box, axis, MgRanks.AXES);
        return ranks.axis(axis).isAwake(points / 2)
                ? MgAwakening.of(job, face, upper(axis, face))
                : MgAwakening.by(job, face, lower(axis, face));
    }
}
