// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Span;
import java.util.ArrayList;
import java.util.List;

/** Exchanges bytes between all ranks. */
final class Exchange {
    private Exchange() {
    }

    /**
     * Returns the bytes of all ranks, in their order. Collective; all ranks have called when it
     * returns.
     */
    static List<byte[]> all(Hayate job, byte[] mine) {
        List<byte[]> all = new ArrayList<>();
        try (Fmpl fmpl = Fmpl.init(job, 1)) {
            for (int rank = 0; rank < job.size(); rank++) {
                int[] length = {mine.length};
                fmpl.bcast(Span.of(length), rank);
                byte[] bytes = rank == job.rank() ? mine : new byte[length[0]];
                if (length[0] > 0) {
                    fmpl.bcast(Span.of(bytes), rank);
                }
                all.add(bytes);
            }
            fmpl.barrier();
        }
        return all;
    }
}
