// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Fills the ghosts of the solution on all six sides at once. To each neighbour goes one message,
 * with the planes of all cells that touch one of his.
 */
final class CfdHalo {
    private final List<CfdPassage> passages = new ArrayList<>();

    CfdHalo(NasJob job, CfdPartition partition, CfdCell[] cells) {
        for (int axis = 0; axis < CfdCell.AXES && partition.side() > 1; axis++) {
            passages.add(passage(job, partition, cells, axis, 1));
            passages.add(passage(job, partition, cells, axis, -1));
        }
    }

    private static CfdPassage passage(NasJob job, CfdPartition partition, CfdCell[] cells,
            int axis, int direction) {
        int depth = CfdCell.GHOSTS;
        List<CfdPlanes> sent = Arrays.stream(cells)
                .filter(cell -> !cell.isEnd(axis, direction))
                .map(cell -> CfdPlanes.own(cell, cell.solution(), axis, direction, depth))
                .toList();
        List<CfdPlanes> received = Arrays.stream(cells)
                .filter(cell -> !cell.isEnd(axis, -direction))
                .map(cell -> CfdPlanes.ghosts(cell, cell.solution(), axis, -direction, depth))
                .toList();
        return new CfdPassage(job, partition, axis, direction, sent, received);
    }

    /** Collective; allocates nothing. */
    void exchange() {
        for (int i = 0; i < passages.size(); i++) {
            passages.get(i).begin();
        }
        for (int i = 0; i < passages.size(); i++) {
            passages.get(i).send();
        }
        for (int i = 0; i < passages.size(); i++) {
            passages.get(i).finish();
        }
    }
}
