// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.BrokenCommunicatorException;
import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Ompl;
import io.hayate.PeerFailedException;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Request;
import io.hayate.Span;
import io.hayate.StateException;
import java.util.Arrays;
import java.util.List;

/**
 * {@code ShrinkMain HOW VICTIM...}: the victims end in the middle of collectives, one after the
 * other, and the other ranks shrink and go on. Each of these says {@code WENT rank members},
 * {@code TOOK rank micros} for each shrink from the exception on, and {@code PACE rank before
 * after}: the nanoseconds of an allreduce.
 */
public final class ShrinkMain {
    private static final int ROUNDS = Integer.getInteger("rounds", 2000);

    private final Hayate job;
    private final Fmpl fmpl;
    private final Ompl ompl;
    private final double[] one = new double[1];

    private ShrinkMain(Hayate job, Fmpl fmpl, Ompl ompl) {
        this.job = job;
        this.fmpl = fmpl;
        this.ompl = ompl;
    }

    /** Entry of a rank. */
    public static void main(String[] arguments) throws Exception {
        List<Integer> victims = Arrays.stream(arguments).skip(1).map(Integer::valueOf).toList();
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job);
                Ompl ompl = Ompl.open(job, 4096)) {
            new ShrinkMain(job, fmpl, ompl).run(arguments[0], victims);
        }
    }

    private void run(String how, List<Integer> victims) throws Exception {
        Communicator comm = fmpl.world();
        long before = pace(comm);
        for (int victim : victims) {
            comm = survive(comm, how, victim);
        }
        long after = pace(comm);
        use(comm);
        refuse();
        System.out.println("PACE " + job.rank() + " " + before + " " + after);
        System.out.println("WENT " + job.rank() + " " + comm.size());
        comm.close();
    }

    /** Works until the victim has ended, and returns the communicator of the others. */
    private Communicator survive(Communicator comm, String how, int victim) throws Exception {
        try {
            work(comm, how, victim);
            throw new IllegalStateException("no death was noticed");
        } catch (PeerFailedException | BrokenCommunicatorException failed) {
            long since = System.nanoTime();
            Communicator survivors = comm.shrink();
            System.out.println("TOOK " + job.rank() + " " + (System.nanoTime() - since) / 1000);
            comm.close();
            check(survivors.rankOf(victim) < 0, "the dead rank is a member");
            return survivors;
        }
    }

    private void work(Communicator comm, String how, int victim) throws Exception {
        for (int round = 0;; round++) {
            if (round == 100 && job.rank() == victim) {
                end(how);
            }
            sum(comm);
        }
    }

    private void end(String how) throws Exception {
        switch (how) {
            case "kill" -> RunningJob.signal("KILL", ProcessHandle.current().pid());
            case "exit" -> Runtime.getRuntime().halt(5);
            case "leave" -> {
                job.close();
                System.exit(0);
            }
            case "abort" -> job.abort(7, "it makes no sense any more");
            case "stop" -> RunningJob.signal("STOP", ProcessHandle.current().pid());
            case "throw" -> throw new IllegalStateException("a mistake of this rank");
            default -> throw new IllegalArgumentException(how);
        }
    }

    private void sum(Communicator comm) {
        one[0] = job.rank() + 1;
        comm.allreduce(Span.of(one), Reduction.DOUBLE_SUM);
        double expected = 0;
        for (int member = 0; member < comm.size(); member++) {
            expected += comm.jobRank(member) + 1;
        }
        check(one[0] == expected, "sum " + one[0] + ", expected " + expected);
    }

    private long pace(Communicator comm) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            comm.barrier();
            long since = System.nanoTime();
            for (int round = 0; round < ROUNDS; round++) {
                sum(comm);
            }
            best = Math.min(best, (System.nanoTime() - since) / ROUNDS);
        }
        return best;
    }

    /** What is to work on a communicator of survivors. */
    private void use(Communicator comm) {
        int size = comm.size();
        int rank = comm.rank();
        double[] all = new double[size];
        one[0] = rank;
        comm.allgather(Span.of(one), Span.of(all));
        check(all[size - 1] == size - 1, "allgather");
        comm.ibarrier().await();
        try (Communicator half = comm.split(rank % 2, -rank); Communicator same = comm.dup()) {
            sum(half);
            sum(same);
        }
        double[] in = new double[1];
        Request receives = comm.irecv(Span.of(in), (rank + 1) % size, 1);
        comm.send(Span.of(new double[] {rank}), (rank + size - 1) % size, 1);
        receives.await();
        check(in[0] == (rank + 1) % size, "message");
        double[] repeated = {1};
        try (PersistentOperation sum = PersistentColl.on(comm)
                .allreduce(Span.of(repeated), Reduction.DOUBLE_SUM)) {
            sum.start();
            sum.await();
        }
        check(repeated[0] == size, "persistent allreduce");
        int next = comm.jobRank((rank + 1) % size);
        ompl.put(Span.of(new double[] {rank}), next, 0);
        ompl.flush(next);
        comm.barrier();
        ompl.get(Span.of(in), job.rank(), 0);
        check(in[0] == (rank + size - 1) % size, "put");
    }

    private void refuse() {
        refused(() -> fmpl.create(true));
        refused(() -> Ompl.open(job, 4096));
        refused(() -> Fmpl.init(job));
    }

    private static void refused(Runnable call) {
        try {
            call.run();
        } catch (StateException refused) {
            check(refused.getMessage().contains("a rank has died"), "refused by " + refused);
            return;
        }
        throw new IllegalStateException("was not refused");
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException(what);
        }
    }
}
