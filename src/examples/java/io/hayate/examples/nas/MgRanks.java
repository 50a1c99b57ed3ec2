// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.List;

/** The ranks as a box, x fastest, as near to a cube as a power of two allows. */
record MgRanks(int rank, List<MgAxis> axes) {
    static final int AXES = 3;

    static MgRanks of(int rank, int size) {
        int doublings = Integer.numberOfTrailingZeros(size);
        int x = 1 << doublings / 3;
        int y = 1 << (doublings - doublings / 3) / 2;
        return new MgRanks(rank, List.of(new MgAxis(x, rank % x), new MgAxis(y, rank / x % y),
                new MgAxis(size / x / y, rank / x / y)));
    }

    MgAxis axis(int axis) {
        return axes.get(axis);
    }

    /** This rank's part of a level. */
    MgBox box(int points) {
        return new MgBox(axis(0).own(points), axis(1).own(points), axis(2).own(points));
    }

    boolean isAwake(int points) {
        return axes.stream().allMatch(axis -> axis.isAwake(points));
    }

    /** Has this rank points on the axes after the given one? */
    boolean isAwakeAfter(int axis, int points) {
        return axes.subList(axis + 1, AXES).stream().allMatch(each -> each.isAwake(points));
    }

    /** The rank that is awake next on an axis, upwards (1) or downwards (-1). */
    int neighbour(int axis, int points, int direction) {
        int steps = axis(axis).neighbour(points, direction) - axis(axis).place();
        int pitch = 1;
        for (MgAxis before : axes.subList(0, axis)) {
            pitch *= before.ranks();
        }
        return rank + steps * pitch;
    }
}
