// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Ompl;
import io.hayate.Reducer;
import io.hayate.Reduction;
import io.hayate.conformance.Rank;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The objects of one thread of a rank; each rank has the same for its thread of this number. */
final class Workplace {
    static final int MAIS = 4;
    /** Of the global space. */
    static final int SPACE = 128 << 10;
    private static final Reducer SUM = (inout, in, count) -> {
        for (int i = 0; i < count; i++) {
            inout.putLong(8 * i, inout.getLong(8 * i) + in.getLong(8 * i));
        }
    };

    final Rank rank;
    final SplittableRandom common;
    final SplittableRandom own;
    final Watch.Mark mark;
    /** The world first; this rank need not be a member of the others. */
    final List<Communicator> comms = new ArrayList<>();
    final Reduction sum;
    final Ompl ompl;
    private final List<HeapSpan> areas = new ArrayList<>();
    /** What all ranks have added to the word of each so far, as all know. */
    final long[] added;
    /** Of the last signal. */
    long signals;

    /** Collective: all ranks draw the same. */
    Workplace(Hayate job, SplittableRandom setUp, long seed, int number, Watch.Mark mark) {
        this.mark = mark;
        common = new SplittableRandom(seed * 31 + number);
        own = new SplittableRandom((seed * 31 + number) * 1000 + job.rank());
        rank = new Rank(job, fmpl(job, setUp));
        comms.add(rank.fmpl.world());
        for (int more = setUp.nextInt(3); more > 0; more--) {
            int members = 1 + setUp.nextInt((1 << job.size()) - 1);
            boolean member = (members >> rank.me & 1) != 0;
            comms.add(setUp.nextBoolean() ? rank.fmpl.create(member)
                    : rank.fmpl.world().split(member ? 0 : -1, 0));
        }
        sum = Reduction.of(rank.fmpl, Long.BYTES, SUM);
        ompl = Ompl.open(job, SPACE, setUp.nextInt(3));
        added = new long[job.size()];
    }

    private Fmpl fmpl(Hayate job, SplittableRandom setUp) {
        if (setUp.nextInt(3) > 0) {
            return Fmpl.init(job, MAIS);
        }
        areas.add(job.allocate((long) MAIS * job.size() * Fmpl.MATCH_BYTES));
        areas.add(job.allocate((long) MAIS * job.size() * Fmpl.FLAG_BYTES));
        return Fmpl.init(job, areas.get(0), areas.get(1), MAIS);
    }

    /** When the rest is closed. */
    void closeAreas() {
        areas.forEach(HeapSpan::close);
    }

    /** To be closed in any order. */
    List<AutoCloseable> things() {
        List<AutoCloseable> things = new ArrayList<>(comms);
        things.addAll(List.of(rank.fmpl, sum, ompl));
        return things;
    }
}
