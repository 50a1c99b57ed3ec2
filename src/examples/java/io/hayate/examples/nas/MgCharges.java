// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * The right side: each point draws a random number, x fastest; at the ten largest it is 1, at the
 * ten smallest -1, elsewhere 0. Each rank draws its own, and all agree on the ten.
 */
final class MgCharges {
    private static final int BLOCK = 4 * MgExtremes.COUNT; // doubles of a rank's extremes

    private final MgRanks ranks;
    private final int points;
    private final MgBox box;
    private final MgExtremes largest = new MgExtremes();
    private final MgExtremes smallest = new MgExtremes(); // of negated numbers

    /** Collective. */
    MgCharges(NasJob job, MgRanks ranks, int points) {
        this.ranks = ranks;
        this.points = points;
        box = ranks.box(points);
        MgExtremes ownLargest = new MgExtremes();
        MgExtremes ownSmallest = new MgExtremes();
        draw(ownLargest, ownSmallest);
        merge(gather(job, ownLargest, ownSmallest));
    }

    /** Sets the own points of a field that is 0. */
    void place(double[] field) {
        for (int i = 0; i < MgExtremes.COUNT; i++) {
            place(field, (long) largest.place(i), 1);
            place(field, (long) smallest.place(i), -1);
        }
    }

    private void draw(MgExtremes ownLargest, MgExtremes ownSmallest) {
        double[] row = new double[box.x()];
        for (int k = 0; k < box.z(); k++) {
            for (int j = 0; j < box.y(); j++) {
                long place = firstPlace(j, k);
                NpbRandom random = new NpbRandom(NpbRandom.SEED);
                random.skip(place);
                random.fill(row, 0, row.length);
                for (int i = 0; i < row.length; i++) {
                    ownLargest.offer(row[i], place + i);
                    ownSmallest.offer(-row[i], place + i);
                }
            }
        }
    }

    /** Of an own row, on the whole grid. */
    private long firstPlace(int j, int k) {
        long z = ranks.axis(2).first(points) + k;
        long y = ranks.axis(1).first(points) + j;
        return (z * points + y) * points + ranks.axis(0).first(points);
    }

    private static double[] gather(NasJob job, MgExtremes ownLargest, MgExtremes ownSmallest) {
        double[] own = new double[BLOCK];
        double[] all = new double[BLOCK * job.size()];
        for (int i = 0; i < MgExtremes.COUNT; i++) {
            own[4 * i] = ownLargest.value(i);
            own[4 * i + 1] = ownLargest.place(i);
            own[4 * i + 2] = ownSmallest.value(i);
            own[4 * i + 3] = ownSmallest.place(i);
        }
        job.library().gather(own, all);
        return all;
    }

    private void merge(double[] all) {
        for (int i = 0; i < all.length; i += 4) {
            largest.offer(all[i], all[i + 1]);
            smallest.offer(all[i + 2], all[i + 3]);
        }
    }

    private void place(double[] field, long place, double charge) {
        int x = (int) (place % points) - ranks.axis(0).first(points);
        int y = (int) (place / points % points) - ranks.axis(1).first(points);
        int z = (int) (place / points / points) - ranks.axis(2).first(points);
        if (isIn(x, box.x()) && isIn(y, box.y()) && isIn(z, box.z())) {
            field[box.row(y + 1, z + 1) + x + 1] = charge;
        }
    }

    private static boolean isIn(int i, int count) {
        return i >= 0 && i < count;
    }
}
