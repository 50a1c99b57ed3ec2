// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import io.hayate.internal.bindings.TrialBinding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Compares all candidates of a cell. A virtual machine changes its speed within seconds. Therefore
 * the whole list is timed several times, briefly, each time beginning with another candidate, and
 * only times of one repetition are compared. Slow candidates drop out. At last the best candidates
 * and the chosen ones are timed again in a final, because the best of many noisy times is biased.
 *
 * <p>Collective: all ranks receive the same times, and so make the same decisions.
 */
final class Contest implements AutoCloseable {
    private static final String[] TRANSFERS = {"auto", "put", "get"};
    private static final double[] CUTS = {4, 2, 1.5, 1.3};
    private static final double FIRST_SHARE = 0.65;
    private static final int MOST_REPETITIONS = 9;
    private static final int LEAST_ROUNDS = 5;
    private static final int MOST_ROUNDS = 21;
    private static final int MOST_BATCHES = 100;
    private static final double NANOS = 1e9;
    /**
     * A batch must be long compared with the synchronisation of the ranks, and on shared CPUs with
     * a time slice.
     */
    private static final double BATCH = 50e3;
    private static final double SHARED_BATCH = 1e6;
    private static final int LEAST_BATCHES = 5;
    private static final double MOST_SLOT = 20e6;

    private final Grid.Case what;
    private final Member member;
    private final double seconds;
    private final double batch;
    private final long trial;
    private final List<Contender> all = new ArrayList<>();
    private final double[] result = new double[2];
    private double begun;
    private double clock;

    /** since: the clock at the end of the previous contest; NaN: there was none. */
    Contest(Grid.Case what, Member member, Grid grid, double since) {
        this.what = what;
        this.member = member;
        this.seconds = grid.seconds();
        this.begun = since;
        this.batch = member.size() > member.cpus() ? SHARED_BATCH : BATCH;
        this.trial = Member.checked(
                TrialBinding.trialOpen(member.fmpl(), what.collective(), what.bytes(),
                        grid.fresh() ? 1 : 0));
        if (grid.measured()) {
            Member.checked(TrialBinding.trialMeasure(trial));
        }
        for (int i = 0; i < TrialBinding.trialCount(trial); i++) {
            String options = TrialBinding.trialCandidate(trial, i, result);
            all.add(new Contender(i, options, result[0]));
        }
    }

    Cell run() {
        for (int i = 0; i < MOST_REPETITIONS && (i < 2 || used() < FIRST_SHARE); i++) {
            repeat(i);
        }
        Set<Contender> finalists = finalists();
        for (int i = 0; i < MOST_ROUNDS && (i < LEAST_ROUNDS || used() < 1); i++) {
            playFinal(new ArrayList<>(finalists), i);
        }
        return cell();
    }

    double clock() {
        return clock;
    }

    /** Returns the share of the time that has passed. */
    private double used() {
        return (clock - begun) / seconds;
    }

    // ---- repetitions ----

    private void repeat(int repetition) {
        List<Contender> alive = all.stream().filter(one -> !one.out).toList();
        double slot = Math.max(LEAST_BATCHES * batch, Math.min(MOST_SLOT,
                seconds * NANOS * FIRST_SHARE / (5 * alive.size())));
        for (int i = 0; i < alive.size(); i++) {
            Contender one = alive.get((i + repetition * 7) % alive.size());
            one.times.add(time(one, repetition == 0 ? LEAST_BATCHES * batch : slot));
        }
        cut(CUTS[Math.min(repetition, CUTS.length - 1)]);
    }

    private double time(Contender one, double slot) {
        double expected = Math.max(1, one.times.isEmpty() ? one.predicted : one.median());
        int runs = (int) Math.ceil(batch / expected);
        int batches = (int) Math.max(1, Math.min(MOST_BATCHES, slot / (runs * expected)));
        int code = TrialBinding.trialRun(trial, one.index, runs, batches, runs, result);
        if (code == TrialBinding.NO_MEMORY) {
            one.out = true;
            return Double.NaN;
        }
        Member.checked(code);
        clock = result[1];
        begun = Double.isNaN(begun) ? clock : begun;
        return result[0];
    }

    /** Drops slow candidates; the choices stay. */
    private void cut(double limit) {
        double best = alive().mapToDouble(Contender::median).min().orElse(Double.NaN);
        for (Contender one : alive().toList()) {
            one.out = one.median() > limit * best && one != bestOf("put") && one != bestOf("get");
        }
        for (int i = 0; i < TRANSFERS.length; i++) {
            Contender chosen = chosen(i);
            if (chosen != null && !Double.isNaN(chosen.median())) {
                chosen.out = false;
            }
        }
    }

    private Stream<Contender> alive() {
        return all.stream().filter(one -> !one.out);
    }

    private Contender bestOf(String transfer) {
        return alive().filter(one -> one.moves(transfer) || transfer.equals("auto"))
                .min(Comparator.comparingDouble(Contender::median)).orElse(null);
    }

    private Contender chosen(int transfer) {
        int index = TrialBinding.trialChosen(trial, transfer);
        return index < 0 ? null : all.get(index);
    }

    // ---- the final ----

    private Set<Contender> finalists() {
        Set<Contender> finalists = new LinkedHashSet<>();
        for (int i = 0; i < TRANSFERS.length; i++) {
            finalists.add(chosen(i));
            finalists.add(bestOf(TRANSFERS[i]));
        }
        finalists.removeIf(one -> one == null || one.out);
        return finalists;
    }

    private void playFinal(List<Contender> finalists, int round) {
        double slot = Math.max(LEAST_BATCHES * batch, Math.min(MOST_SLOT,
                seconds * NANOS * (1 - FIRST_SHARE) / (7 * finalists.size())));
        for (int i = 0; i < finalists.size(); i++) {
            Contender one = finalists.get((i + round) % finalists.size());
            one.finals.add(time(one, slot));
        }
    }

    // ---- the result ----

    private Cell cell() {
        Cell.Verdict[] verdicts = new Cell.Verdict[TRANSFERS.length];
        for (int i = 0; i < TRANSFERS.length; i++) {
            verdicts[i] = verdict(chosen(i), bestOf(TRANSFERS[i]));
        }
        Contender put = bestOf("put");
        Contender get = bestOf("get");
        double ratio = put == null || get == null ? Double.NaN : put.finalRatio(get);
        List<Cell.Candidate> candidates = all.stream()
                .filter(one -> !Double.isNaN(one.median()))
                .map(one -> new Cell.Candidate(one.options, one.predicted, one.median(),
                        one.times.size())).toList();
        return new Cell(what.collective(), member.size(), what.bytes(), verdicts[0], verdicts[1],
                verdicts[2], ratio, candidates);
    }

    private static Cell.Verdict verdict(Contender chosen, Contender best) {
        if (chosen == null || chosen.finals.isEmpty()) {
            return null;
        }
        double loss = chosen == best ? 1 : chosen.finalRatio(best);
        Contender winner = loss > 1 ? best : chosen;
        return new Cell.Verdict(chosen.options, chosen.predicted, chosen.finalMedian(),
                winner.options, winner.predicted, winner.finalMedian(), Math.max(1, loss));
    }

    @Override
    public void close() {
        TrialBinding.trialClose(trial);
    }
}
