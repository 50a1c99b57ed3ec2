// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Reduction;
import io.hayate.Span;
import io.hayate.conformance.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ranks that draw the same operations from the same seed, so that they fit together, and each the
 * rest from a seed of its own: kinds of memory, ways to wait, and mistakes in between, which have
 * to be refused and to change nothing. Everything is opened, used by several threads and closed,
 * again and again; whatever was moved is looked at.
 */
public final class PairedMain {
    private static final int MOST_THREADS = 3;
    private static final int STEPS = 40;

    private final Hayate job;
    private final Watch watch = new Watch(() -> { });
    private final AtomicLong done = new AtomicLong();

    private PairedMain(Hayate job) {
        this.job = job;
    }

    /** Entry of a rank: seed of the first round, seconds. */
    public static void main(String[] arguments) throws Exception {
        try (Hayate job = Hayate.init()) {
            PairedMain main = new PairedMain(job);
            main.run(Long.parseLong(arguments[0]), Double.parseDouble(arguments[1]));
            System.out.println("ENDS {value=" + main.done + "}");
            System.out.println("SURVIVED " + main.watch.calls());
        }
    }

    private void run(long first, double seconds) throws Exception {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        try (Fmpl between = Fmpl.init(job, 1)) {
            isFree(between, 0); // which takes some for itself
            long free = job.heapFree();
            long seed = first;
            do { // at least one, however long it took to begin
                round(seed++, between);
            } while (goesOn(between, System.nanoTime() < end));
            watch.mark("the end").enter("waits for its heap, of which " + free + " were free");
            while (goesOn(between, !isFree(between, free))) {
                System.gc();
            }
        }
    }

    /** Has the heap of every rank all of its memory back? It has when ranks meet, for example. */
    private boolean isFree(Fmpl between, long free) {
        between.create(false);
        between.trim();
        int[] used = {job.heapFree() == free ? 0 : 1};
        between.allreduce(Span.of(used), Reduction.INT_SUM);
        return used[0] == 0;
    }

    /** As rank 0 has it. */
    private static boolean goesOn(Fmpl between, boolean wish) {
        int[] word = {wish ? 1 : 0};
        between.bcast(Span.of(word), 0);
        return word[0] != 0;
    }

    /** One round: everything is opened, used, and closed. */
    private void round(long seed, Fmpl between) throws Exception {
        SplittableRandom common = new SplittableRandom(seed);
        SplittableRandom own = new SplittableRandom(seed * 1000 + job.rank());
        String who = "seed " + seed + ", rank " + job.rank() + ":";
        Watch.Mark mark = watch.mark(who);
        List<Workplace> all = open(seed, common, mark);
        boolean virtual = Runtime.version().feature() >= 21 && common.nextInt(3) == 0;
        mark.end(); // its threads have marks of their own
        Threads.together(all.size(), virtual ? Threads::virtual : Threads::platform,
                number -> work(all.get(number)));
        mark = watch.mark(who);
        close(all, own, mark);
        mark.enter("meets the others");
        between.barrier();
        mark.end();
    }

    private List<Workplace> open(long seed, SplittableRandom common, Watch.Mark mark) {
        List<Workplace> all = new ArrayList<>();
        int threads = 1 + common.nextInt(MOST_THREADS);
        for (int number = 0; number < threads; number++) {
            mark.enter("opens workplace " + number);
            all.add(new Workplace(job, common, seed, number,
                    watch.mark("seed " + seed + ", rank " + job.rank() + ", thread " + number)));
        }
        return all;
    }

    private void work(Workplace place) {
        try {
            PairedSteps.run(place, STEPS, done);
        } catch (Throwable wrong) {
            throw place.mark.wrong(wrong);
        }
        place.mark.end();
    }

    /** In any order, and some of it twice. */
    private void close(List<Workplace> all, SplittableRandom own, Watch.Mark mark)
            throws Exception {
        mark.enter("closes");
        List<AutoCloseable> things = new ArrayList<>();
        all.forEach(place -> things.addAll(place.things()));
        Collections.shuffle(things, new Random(own.nextLong()));
        things.addAll(things.subList(0, own.nextInt(things.size())));
        for (AutoCloseable thing : things) {
            mark.enter("closes " + thing);
            thing.close();
        }
        for (Workplace place : all) {
            place.closeAreas();
        }
    }
}
