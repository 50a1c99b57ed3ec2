// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.Reduction;
import io.hayate.Span;

/** The messages of IS by Hayate. */
final class IsFmpl implements IsMessages {
    private static final int LARGEST = 2; // a matching-area index

    private final NasJob job;
    private final Ints numbers;
    private final Sum sum;
    private final IsExchange exchange;

    /** Collective. `summed` is how many numbers are added up. */
    IsFmpl(NasJob job, int summed, Ints outgoing, Ints incoming) {
        this.job = job;
        numbers = job.buffers().ints(summed);
        sum = new Sum(job, job.world(), numbers.span(), Reduction.INT_SUM);
        exchange = new IsExchange(job, outgoing, incoming);
    }

    @Override
    public void sum(int[] ofThisRank) {
        numbers.values().put(0, ofThisRank);
        sum.run();
        numbers.values().get(0, ofThisRank);
    }

    @Override
    public int exchange(int[] counts) {
        return exchange.run(counts);
    }

    @Override
    public int pass(int key) {
        int[] before = {Integer.MIN_VALUE};
        if (job.rank() + 1 < job.size()) {
            job.fmpl().send(Span.of(new int[] {key}), job.rank() + 1, LARGEST);
        }
        if (job.rank() > 0) {
            job.fmpl().recv(Span.of(before), job.rank() - 1, LARGEST);
        }
        return before[0];
    }

    @Override
    public void close() {
        exchange.close();
        sum.close();
    }
}
