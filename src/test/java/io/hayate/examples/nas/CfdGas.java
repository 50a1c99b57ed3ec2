// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Random;

/** A cell of random gas, alone on its grid, for tests. */
final class CfdGas {
    private static final int COMPONENTS = CfdExact.COMPONENTS;

    static CfdCell random(Random random, int points, int factors) {
        CfdCell cell = new CfdCell(points, 1, new int[CfdCell.AXES], factors);
        for (int at = 0; at < cell.length(); at++) {
            double[] u = cell.solution();
            u[COMPONENTS * at] = random.nextDouble(1, 2);
            for (int m = 1; m <= CfdCell.AXES; m++) {
                u[COMPONENTS * at + m] = random.nextDouble(-1, 1);
            }
            u[COMPONENTS * at + COMPONENTS - 1] = random.nextDouble(5, 6);
        }
        CfdFlow.derive(cell);
        return cell;
    }

    /** For right sides: 0 outside of the interior. */
    static double[] randomInside(Random random, CfdCell cell) {
        double[] field = new double[cell.right().length];
        cell.forEachRow((each, j, k) -> {
            int from = COMPONENTS * each.row(j, k);
            for (int i = from; i < from + COMPONENTS * each.rowLength(); i++) {
                field[i] = random.nextDouble(-1, 1);
            }
        });
        return field;
    }

    /** Work on one interior point. */
    interface PointWork {
        void run(int at, int[] place);
    }

    static void forEachPoint(CfdCell cell, PointWork work) {
        cell.forEachRow((each, j, k) -> {
            for (int i = each.begin(0); i < each.end(0); i++) {
                work.run(each.at(i, j, k), new int[] {i, j, k});
            }
        });
    }
}
