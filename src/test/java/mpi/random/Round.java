// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import mpi.MPI;
import mpi.Request;

/** What all ranks do together; each draws it from the seed and the number of the round. */
final class Round {
    private static final int SHIFT_TAG = 3 * Lane.TAGS;
    private static final int TAGS = SHIFT_TAG + 1;
    /** No rank is so many rounds ahead of another: most rounds end with a barrier. */
    private static final int DISTINCT = 500;

    private final int number;
    private final long seed;
    private final int rank;
    /** No message of another round is under way. */
    private final boolean closed;
    private final int passes;
    private final List<Lane> lanes = new ArrayList<>();
    private final List<Collective> before = new ArrayList<>();
    private final List<Collective> meanwhile = new ArrayList<>();
    private Shift shift;

    Round(long seed, int number, List<Place> places) {
        this.number = number;
        this.seed = Seeds.mix(seed, number);
        rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        Random random = Seeds.random(this.seed);
        int firstTag = number % DISTINCT * TAGS;
        closed = Seeds.percent(random, 70);
        passes = Seeds.percent(random, 25) ? 2 : 1;
        List<Place> used = new ArrayList<>();
        do {
            used.add(place(random, places));
        } while (used.size() < 3 && Seeds.percent(random, 30));
        for (Place place : used) {
            boolean alone = used.indexOf(place) == used.lastIndexOf(place);
            lanes.add(new Lane(random, place, size, firstTag + lanes.size() * Lane.TAGS, closed,
                    alone));
        }
        while (Seeds.percent(random, 30)) {
            before.add(new Collective(random, place(random, places), false, random.nextLong()));
        }
        while (Seeds.percent(random, 20)) {
            meanwhile.add(new Collective(random, place(random, places), true, random.nextLong()));
        }
        Place place = place(random, places);
        if (!place.inter && Seeds.percent(random, 30)) {
            shift = new Shift(random, place, size, firstTag + SHIFT_TAG);
        }
    }

    private static Place place(Random random, List<Place> places) {
        return places.get(random.nextInt(places.size()));
    }

    int operations() {
        return passes * lanes.stream().mapToInt(Lane::operations).sum() + before.size()
                + meanwhile.size() + (shift == null ? 0 : 2 * MPI.COMM_WORLD.getSize());
    }

    /** Returns a digest of what this rank has received, whichever legal order it came in. */
    long run() throws InterruptedException {
        before.forEach(Collective::run);
        if (closed) {
            MPI.COMM_WORLD.barrier();
        }
        List<LaneRun> runs = new ArrayList<>();
        lanes.forEach(lane -> runs.add(new LaneRun(lane, rank, Seeds.mix(seed, runs.size()))));
        Request[] started = meanwhile.stream().map(Collective::start).toArray(Request[]::new);
        for (int pass = 0; pass < passes; pass++) {
            if (pass > 0) {
                MPI.COMM_WORLD.barrier();
            }
            atTheSameTime(runs, pass);
        }
        Completion.all(Seeds.random(seed, rank), started);
        meanwhile.forEach(Collective::finished);
        runs.forEach(LaneRun::free);
        if (closed) {
            MPI.COMM_WORLD.barrier();
        }
        return runs.stream().mapToLong(LaneRun::digest).sum()
                + (shift == null ? 0 : shift.run(rank, seed));
    }

    /** Each lane has a thread. */
    private void atTheSameTime(List<LaneRun> runs, int pass) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (LaneRun run : runs.subList(1, runs.size())) {
            threads.add(new Thread(() -> run(run, pass)));
            threads.get(threads.size() - 1).start();
        }
        run(runs.get(0), pass);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void run(LaneRun run, int pass) {
        try {
            run.pass(pass);
        } catch (Throwable failure) { // MPIException is checked elsewhere
            RandomProgram.fail(number, run + ", pass " + pass, failure);
        }
    }
}
