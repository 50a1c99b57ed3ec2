// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.ClosedException;
import io.hayate.CollOptions;
import io.hayate.Delegation;
import io.hayate.DelegationCounters;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reducer;
import io.hayate.Reduction;
import io.hayate.Span;

/**
 * A rank that exchanges a long message with its peer on the other node, and says what it sees of
 * its delegatee: {@code DELEGATED rank pid node nodes waiting serves closed}, and {@code COUNTED
 * rank} with the growth of commands and bytes, its own and all. With argument {@code watch}, it
 * says {@code WATCHES rank pid}, and {@code ENDED rank} when the delegatee with this process id has
 * ended. With {@code reduce}, it says {@code REDUCED rank result description} of persistent
 * collectives with {@code progress=delegated}.
 */
public final class DelegatedMain {
    private static final int BYTES = 1 << 20;
    private static final Reducer LARGEST = (inout, in, count) -> {
        for (int i = 0; i < count; i++) {
            inout.putLong(8 * i, Math.max(inout.getLong(8 * i), in.getLong(8 * i)));
        }
    };

    /** Entry of a rank: its node has a delegatee, and half of the ranks are on another node. */
    public static void main(String[] arguments) {
        Hayate job = Hayate.init();
        Delegation delegation = Delegation.of(job).orElseThrow();
        if (arguments.length > 0) {
            if (arguments[0].equals("reduce")) {
                reduceAll(job);
            } else {
                watch(job, delegation);
            }
            return;
        }
        try (Fmpl fmpl = Fmpl.init(job); HeapSpan out = job.allocate(BYTES)) {
            DelegationCounters before = delegation.counters();
            fmpl.barrier();
            exchange(job, fmpl, out);
            fmpl.barrier();
            DelegationCounters after = delegation.counters();
            System.out.println("COUNTED " + job.rank() + " "
                    + (after.ownCommands() - before.ownCommands()) + " "
                    + (after.ownBytes() - before.ownBytes()) + " "
                    + (after.commands() - before.commands()) + " " + after.connections() + " "
                    + (after.registeredBytes() >= 2 * job.heapSize()));
            fmpl.barrier();
        }
        boolean serves = delegation.serves();
        job.close();
        System.out.println("DELEGATED " + job.rank() + " " + delegation.pid() + " "
                + delegation.node() + " " + delegation.nodes() + " " + delegation.waiting() + " "
                + serves + " " + refuses(delegation) + " " + delegation.network());
    }

    private static void watch(Hayate job, Delegation delegation) {
        System.out.println("WATCHES " + job.rank() + " " + delegation.pid());
        while (delegation.serves()) {
            Thread.onSpinWait();
        }
        System.out.println("ENDED " + job.rank());
    }

    private static void reduceAll(Hayate job) {
        try (Fmpl fmpl = Fmpl.init(job); Reduction largest = Reduction.of(fmpl, 8, LARGEST)) {
            reduce(job, fmpl, Reduction.LONG_SUM);
            reduce(job, fmpl, largest);
        }
        job.close();
    }

    /** Says the result of the last element, which rank r gives as 10 + r. */
    private static void reduce(Hayate job, Fmpl fmpl, Reduction reduction) {
        CollOptions delegated = CollOptions.AUTO.progress(CollOptions.Progress.DELEGATED);
        int last = BYTES / 8 - 1;
        try (HeapSpan values = job.allocate(BYTES);
                PersistentOperation made = PersistentColl.on(fmpl.world()).allreduce(values,
                        reduction, delegated)) {
            for (int run = 0; run < 5; run++) {
                values.putLong(8L * last, 10 + job.rank());
                made.start();
                made.await();
            }
            System.out.println("REDUCED " + job.rank() + " " + values.getLong(8L * last) + " "
                    + made.describe().replace('\n', ' '));
        }
    }

    private static void exchange(Hayate job, Fmpl fmpl, Span out) {
        int peer = (job.rank() + job.size() / 2) % job.size();
        Span in = Span.of(new byte[BYTES]);
        if (job.rank() < peer) {
            fmpl.send(out, peer, 0);
        } else {
            fmpl.recv(in, peer, 0);
        }
    }

    private static boolean refuses(Delegation delegation) {
        try {
            delegation.counters();
            return false;
        } catch (ClosedException closed) {
            return true;
        }
    }
}
