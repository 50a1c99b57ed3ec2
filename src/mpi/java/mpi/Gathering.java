// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Communicator;
import io.hayate.Span;

/** Arrays of unequal length that members of a communicator tell each other. */
final class Gathering {
    private Gathering() {
    }

    /** Returns what all members pass, in the order of their ranks. */
    static int[] ints(Communicator local, int[] mine) {
        int[] lengths = new int[local.size()];
        local.allgather(Span.of(new int[] {mine.length}), Span.of(lengths));
        long[] sizes = new long[lengths.length];
        long[] offsets = new long[lengths.length];
        int total = 0;
        for (int i = 0; i < lengths.length; i++) {
            offsets[i] = (long) total * Integer.BYTES;
            sizes[i] = (long) lengths[i] * Integer.BYTES;
            total = Math.addExact(total, lengths[i]);
        }
        int[] all = new int[total];
        if (total > 0) {
            local.allgatherv(Span.of(mine), Span.of(all), sizes, offsets);
        }
        return all;
    }
}
