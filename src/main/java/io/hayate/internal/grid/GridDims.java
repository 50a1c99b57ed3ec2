// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.grid;

import io.hayate.internal.errors.Errors;
import java.util.Arrays;

/** Divides a number of ranks into dimensions that are as close to each other as possible. */
public final class GridDims {
    private GridDims() {
    }

    /** Returns a copy of the wanted extents, in which those of 0 are chosen, the largest first. */
    public static int[] complete(int size, int[] wanted) {
        long fixed = 1;
        int free = 0;
        for (int extent : wanted) {
            if (extent < 0 || extent > size) {
                throw doesNotFit(size, wanted);
            }
            fixed = Math.min(fixed * Math.max(extent, 1), Integer.MAX_VALUE);
            free += extent == 0 ? 1 : 0;
        }
        if (size % fixed != 0 || free == 0 && fixed != size) {
            throw doesNotFit(size, wanted);
        }
        return fill(wanted.clone(), factors((int) (size / fixed), free, size));
    }

    private static RuntimeException doesNotFit(int size, int[] wanted) {
        return Errors.argument("a grid of " + Arrays.toString(wanted) + " for " + size
                + " ranks: expected extents whose product is " + size
                + ", or 0 for those that are to be chosen");
    }

    private static int[] fill(int[] extents, int[] chosen) {
        int next = 0;
        for (int d = 0; d < extents.length; d++) {
            if (extents[d] == 0) {
                extents[d] = chosen[next++];
            }
        }
        return extents;
    }

    /**
     * Returns the factors, the largest first, whose largest one is smallest, then the second one,
     * and so on; null: not without a factor above the limit.
     */
    private static int[] factors(int product, int count, int limit) {
        if (count == 0) {
            return product == 1 ? new int[0] : null;
        }
        for (int first = 1; first <= Math.min(product, limit); first++) {
            if (product % first == 0 && isPowerAtLeast(first, count, product)) {
                int[] rest = factors(product / first, count - 1, first);
                if (rest != null) {
                    int[] all = new int[count];
                    all[0] = first;
                    System.arraycopy(rest, 0, all, 1, rest.length);
                    return all;
                }
            }
        }
        return null;
    }

    private static boolean isPowerAtLeast(int base, int exponent, int limit) {
        long power = 1;
        for (int i = 0; i < exponent && power < limit && base > 1; i++) {
            power *= base;
        }
        return power >= limit;
    }
}
