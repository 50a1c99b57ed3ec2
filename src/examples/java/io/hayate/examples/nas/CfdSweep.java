// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.ArrayList;
import java.util.List;

/**
 * Solves the systems of all lines along an axis: cell by cell upwards, and then downwards. In each
 * stage each rank has a cell, after which it tells its neighbour what his next one needs to know.
 */
final class CfdSweep {
    private final CfdSolver solver;
    private final List<CfdCell> line = new ArrayList<>(); // by stage
    private final List<CfdPassage> upwards = new ArrayList<>(); // after each stage but the last
    private final List<CfdPassage> downwards = new ArrayList<>(); // before it

    CfdSweep(NasJob job, CfdPartition partition, CfdCell[] cells, int axis, CfdSolver solver) {
        this.solver = solver;
        for (int stage = 0; stage < partition.side(); stage++) {
            line.add(cells[partition.cell(axis, stage)]);
        }
        int reach = solver.reach();
        for (int stage = 0; stage + 1 < line.size(); stage++) {
            CfdCell lower = line.get(stage);
            CfdCell upper = line.get(stage + 1);
            upwards.add(new CfdPassage(job, partition, axis, 1,
                    List.of(CfdPlanes.own(lower, lower.right(), axis, 1, reach),
                            CfdPlanes.own(lower, lower.factors(), axis, 1, reach)),
                    List.of(CfdPlanes.ghosts(upper, upper.right(), axis, -1, reach),
                            CfdPlanes.ghosts(upper, upper.factors(), axis, -1, reach))));
            downwards.add(new CfdPassage(job, partition, axis, -1,
                    List.of(CfdPlanes.own(upper, upper.right(), axis, -1, reach)),
                    List.of(CfdPlanes.ghosts(lower, lower.right(), axis, 1, reach))));
        }
    }

    /** Collective; allocates nothing. */
    void run() {
        int last = line.size() - 1;
        for (int stage = 0; stage < last; stage++) {
            upwards.get(stage).begin();
            solver.eliminate(line.get(stage));
            upwards.get(stage).send();
            upwards.get(stage).finish();
        }
        solver.eliminate(line.get(last));
        for (int stage = last; stage > 0; stage--) {
            downwards.get(stage - 1).begin();
            solver.substitute(line.get(stage));
            downwards.get(stage - 1).send();
            downwards.get(stage - 1).finish();
        }
        solver.substitute(line.get(0));
    }
}
