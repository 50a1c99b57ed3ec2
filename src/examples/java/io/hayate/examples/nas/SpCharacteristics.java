// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * Changes of variables of right sides, in rows of interior points. In the characteristic variables
 * of an axis, what the flow carries along it has a diagonal matrix: they are the entropy (variable
 * 0 of axis 0, 1 of 1, 2 of 2), two shears (the others up to 2), and two of sound (3 and 4).
 */
final class SpCharacteristics {
    private static final int COMPONENTS = CfdExact.COMPONENTS;
    private static final double ROOT = Math.sqrt(0.5);

    private SpCharacteristics() {}

    /** From the components of the solution to the characteristic variables along x. */
    static void toX(CfdCell cell, int j, int k) {
        double[] flow = cell.flow();
        double[] right = cell.right();
        int begin = cell.row(j, k);
        for (int at = begin; at < begin + cell.rowLength(); at++) {
            int r = COMPONENTS * at;
            int f = CfdFlow.SIZE * at;
            double u = flow[f + CfdFlow.VELOCITY];
            double v = flow[f + CfdFlow.VELOCITY + 1];
            double w = flow[f + CfdFlow.VELOCITY + 2];
            double volume = flow[f + CfdFlow.VOLUME];
            double sound = flow[f + CfdFlow.SOUND];
            double density = right[r];
            double pressure = (CfdFlow.GAMMA - 1) * (flow[f + CfdFlow.KINETIC] * density
                    - u * right[r + 1] - v * right[r + 2] - w * right[r + 3] + right[r + 4]);
            double compression = ROOT * volume / sound * pressure;
            double motion = ROOT * volume * (right[r + 1] - u * density);
            right[r] = density - pressure / (sound * sound);
            right[r + 1] = volume * (right[r + 3] - w * density);
            right[r + 2] = volume * (v * density - right[r + 2]);
            right[r + 3] = compression + motion;
            right[r + 4] = compression - motion;
        }
    }

    static void fromXToY(CfdCell cell, int j, int k) {
        double[] right = cell.right();
        int begin = COMPONENTS * cell.row(j, k);
        int end = begin + COMPONENTS * cell.rowLength();
        for (int r = begin; r < end; r += COMPONENTS) {
            double entropy = right[r];
            double shear = ROOT * right[r + 2];
            double compression = 0.5 * (right[r + 3] + right[r + 4]);
            right[r] = -right[r + 1];
            right[r + 1] = entropy;
            right[r + 2] = ROOT * (right[r + 3] - right[r + 4]);
            right[r + 3] = compression - shear;
            right[r + 4] = compression + shear;
        }
    }

    static void fromYToZ(CfdCell cell, int j, int k) {
        double[] right = cell.right();
        int begin = COMPONENTS * cell.row(j, k);
        int end = begin + COMPONENTS * cell.rowLength();
        for (int r = begin; r < end; r += COMPONENTS) {
            double shear = ROOT * right[r];
            double compression = 0.5 * (right[r + 3] + right[r + 4]);
            double entropy = right[r + 1];
            right[r] = ROOT * (right[r + 3] - right[r + 4]);
            right[r + 1] = -right[r + 2];
            right[r + 2] = entropy;
            right[r + 3] = compression - shear;
            right[r + 4] = compression + shear;
        }
    }

    /** Back to the components of the solution. */
    static void fromZ(CfdCell cell, int j, int k) {
        double[] flow = cell.flow();
        double[] right = cell.right();
        int begin = cell.row(j, k);
        for (int at = begin; at < begin + cell.rowLength(); at++) {
            int r = COMPONENTS * at;
            int f = CfdFlow.SIZE * at;
            double u = flow[f + CfdFlow.VELOCITY];
            double v = flow[f + CfdFlow.VELOCITY + 1];
            double w = flow[f + CfdFlow.VELOCITY + 2];
            double sound = flow[f + CfdFlow.SOUND];
            double mass = cell.solution()[r];
            double shearX = -mass * right[r + 1];
            double shearY = mass * right[r];
            double compression = ROOT * mass / sound * (right[r + 3] + right[r + 4]);
            double motion = ROOT * mass * (right[r + 3] - right[r + 4]);
            double density = right[r + 2] + compression;
            right[r] = density;
            right[r + 1] = u * density + shearX;
            right[r + 2] = v * density + shearY;
            right[r + 3] = w * density + motion;
            right[r + 4] = flow[f + CfdFlow.KINETIC] * density + u * shearX + v * shearY
                    + w * motion + sound * sound / (CfdFlow.GAMMA - 1) * compression;
        }
    }
}
