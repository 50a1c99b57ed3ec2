// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * BT of the NAS Parallel Benchmarks: the simulated application of computational fluid dynamics
 * ({@link CfdBenchmark}) whose systems are block tridiagonal: much computation for each number that
 * goes to a neighbour.
 * Run it by {@code hayate run -n P -- java ...}, P a square number, or alone.
 */
public final class Bt extends CfdBenchmark {
    static final NasProgram.Kind KIND =
            new NasProgram.Kind("BT", RankCount.SQUARE, Bt::new);

    private final CfdSweep[] sweeps = new CfdSweep[CfdCell.AXES];

    Bt(NasJob job) throws UsageException {
        super(job, BtProblem.of(job.options().problem()), BtElimination.FACTORS);
        for (int axis = 0; axis < sweeps.length; axis++) {
            sweeps[axis] = sweep(axis, new BtElimination(axis(axis), dt()));
        }
    }

    public static void main(String[] args) {
        System.exit(NasProgram.run(KIND, args));
    }

    @Override
    void solve() {
        for (CfdSweep sweep : sweeps) {
            sweep.run();
        }
    }
}
