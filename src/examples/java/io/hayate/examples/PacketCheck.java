// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

/**
 * How a field compares with the analytic wave packet, whose norm is 1 but for its tails.
 *
 * @param error      |field - packet|
 * @param errorLimit what the error may be
 * @param parseval   difference of the norms of the field and of its coefficients
 * @param drift      difference of the norm from that at the beginning, which steps keep
 * @param driftLimit what either difference may be
 * @param centre     mean position on each axis
 * @param expected   that of the packet
 */
record PacketCheck(double error, double errorLimit, double parseval, double drift,
        double driftLimit, double[] centre, double[] expected) {
    private static final double ROUNDING = 1e-14;

    boolean isRight() {
        return error <= errorLimit && parseval <= driftLimit && drift <= driftLimit;
    }

    /** A row of the product of three factors, one for each axis. */
    static void exact(double[][] factors, int y, int z, double[] row, int from) {
        double[] fy = factors[1];
        double[] fz = factors[2];
        double re = fy[2 * y] * fz[2 * z] - fy[2 * y + 1] * fz[2 * z + 1];
        double im = fy[2 * y] * fz[2 * z + 1] + fy[2 * y + 1] * fz[2 * z];
        double[] fx = factors[0];
        for (int i = 0; i < fx.length; i += 2) {
            row[from + i] = fx[i] * re - fx[i + 1] * im;
            row[from + i + 1] = fx[i] * im + fx[i + 1] * re;
        }
    }

    static double squares(double[] values, int from, int count) {
        double squares = 0;
        for (int i = from; i < from + count; i++) {
            squares += values[i] * values[i];
        }
        return squares;
    }

    /** This rank's parts of the sums. */
    static final class Parts {
        private static final int ERROR = 0;
        private static final int FIELD = 1;
        private static final int COEFFICIENTS = 2;
        private static final int START = 3;
        private static final int CENTRE = 4; // and two more
        private static final int COUNT = 7;

        private final WavePacket packet;
        private final double time;
        private final double[][] factors;
        private final double[] row;
        private final double[] parts = new double[COUNT];

        /** `start` is the square of the norm of this rank's slab at the beginning. */
        Parts(WavePacket packet, double time, double start) {
            parts[START] = start;
            this.packet = packet;
            this.time = time;
            factors = new double[][] {packet.values(0, time), packet.values(1, time),
                packet.values(2, time)};
            row = new double[factors[0].length];
        }

        void addCoefficients(double[] pencil, double scale) {
            parts[COEFFICIENTS] += squares(pencil, 0, pencil.length) * scale;
        }

        void addRow(double[] plane, int from, int y, int z) {
            exact(factors, y, z, row, 0);
            for (int i = 0; i < row.length; i += 2) {
                double re = plane[from + i];
                double im = plane[from + i + 1];
                double square = re * re + im * im;
                parts[ERROR] += (re - row[i]) * (re - row[i])
                        + (im - row[i + 1]) * (im - row[i + 1]);
                parts[FIELD] += square;
                parts[CENTRE] += square * packet.coordinate(i / 2);
                parts[CENTRE + 1] += square * packet.coordinate(y);
                parts[CENTRE + 2] += square * packet.coordinate(z);
            }
        }

        /** Collective. */
        PacketCheck sum(GlobalSums sums, double errorLimit, int steps) {
            for (int i = 0; i < COUNT; i++) {
                sums.set(i, parts[i]);
            }
            sums.sum(COUNT);
            double norm = Math.sqrt(sums.get(FIELD));
            double[] centre = new double[3];
            double[] expected = new double[3];
            for (int axis = 0; axis < centre.length; axis++) {
                centre[axis] = sums.get(CENTRE + axis) / sums.get(FIELD);
                expected[axis] = packet.position(axis, time);
            }
            return new PacketCheck(Math.sqrt(sums.get(ERROR)), errorLimit,
                    Math.abs(norm - Math.sqrt(sums.get(COEFFICIENTS))),
                    Math.abs(norm - Math.sqrt(sums.get(START))),
                    ROUNDING * (100 + steps), centre, expected);
        }
    }
}
