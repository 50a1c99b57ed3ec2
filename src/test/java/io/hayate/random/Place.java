// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.PeerFailedException;
import io.hayate.PvasTasks;
import java.util.ArrayList;
import java.util.List;

/** Where a trial takes place: a job of thread ranks, which are all of this program. */
final class Place {
    static final int MAIS = 4;

    private final List<Hayate> jobs;
    private final List<Fmpl> fmpls;
    private final List<Hayate> others = new ArrayList<>();
    private final List<Partner> partners = new ArrayList<>();

    Place(int ranks) throws Exception {
        jobs = Hayate.initThreads(ranks);
        fmpls = each(job -> Fmpl.init(job, MAIS));
    }

    Hayate job(int rank) {
        return jobs.get(rank);
    }

    Hayate job() {
        return jobs.get(0);
    }

    /** A job of one rank, closed with this. */
    Hayate alone() {
        Hayate job = Hayate.initThreads(1).get(0);
        others.add(job);
        return job;
    }

    int ranks() {
        return jobs.size();
    }

    /** One of each rank. */
    Fmpl fmpl(int rank) {
        return fmpls.get(rank);
    }

    Fmpl fmpl() {
        return fmpl(0);
    }

    /** What ranks do together. */
    interface Collective<T> {
        T run(Hayate job) throws Exception;
    }

    /** What each rank got from something that all of them have to call. */
    <T> List<T> each(Collective<T> call) throws Exception {
        List<T> results = new ArrayList<>();
        List<Partner> others = new ArrayList<>();
        for (Hayate job : jobs.subList(1, jobs.size())) {
            results.add(null);
            others.add(new Partner(() -> results.set(job.rank(), call.run(job))));
        }
        results.add(null);
        others.forEach(Partner::start);
        results.set(0, call.run(job()));
        for (Partner other : others) {
            other.finish();
        }
        return results;
    }

    /** A thread that is inside of a native call when this returns, and waits there. */
    Partner waiting(Scarce.Step call) throws Exception {
        Partner partner = new Partner(call);
        partners.add(partner);
        partner.start();
        partner.awaitNative();
        return partner;
    }

    /** Frees it when the collector has found what nobody has any more. */
    static void awaitFree(Hayate job, long free) throws InterruptedException {
        if (!PvasTasks.collectUntil(() -> job.heapFree() == free)) {
            throw new AssertionError(free + " bytes were free, now " + job.heapFree());
        }
    }

    /**
     * A call of all ranks that makes something. When it throws on a rank nobody knows whether the
     * others have got theirs: so this rank leaves, and those that still wait for it are told, and
     * leave as well.
     */
    Scarce.Trial making(Collective<? extends AutoCloseable> call) throws Exception {
        AutoCloseable[] made = new AutoCloseable[ranks()];
        boolean[] left = new boolean[ranks()];
        boolean[] deserted = new boolean[ranks()];
        for (Hayate job : jobs.subList(1, ranks())) {
            waiting(() -> make(call, job, made, left, deserted));
        }
        return new Scarce.Trial(() -> make(call, job(), made, left, deserted), done -> {
            finishPartners();
            boolean somebodyLeft = false;
            boolean somebodyWasTold = false;
            for (int rank = 0; rank < ranks(); rank++) {
                somebodyLeft |= left[rank];
                somebodyWasTold |= deserted[rank];
                if (made[rank] != null) {
                    made[rank].close();
                }
            }
            if (somebodyWasTold && !somebodyLeft) {
                throw new AssertionError("nobody left, but somebody was told so");
            }
        });
    }

    private static void make(Collective<? extends AutoCloseable> call, Hayate job,
            AutoCloseable[] made, boolean[] left, boolean[] deserted) throws Exception {
        try {
            made[job.rank()] = call.run(job);
        } catch (PeerFailedException told) {
            deserted[job.rank()] = true;
        } catch (OutOfMemoryError full) {
            left[job.rank()] = true;
        } finally {
            if (made[job.rank()] == null) {
                job.close();
            }
        }
    }

    void finishPartners() throws Exception {
        for (Partner partner : partners) {
            partner.finish();
        }
    }

    void close() throws Exception {
        finishPartners();
        fmpls.forEach(Fmpl::close);
        jobs.forEach(Hayate::close);
        others.forEach(Hayate::close);
    }
}
