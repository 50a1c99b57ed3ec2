// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import io.hayate.examples.nas.CfdCell.RowWork;

/**
 * SP of the NAS Parallel Benchmarks: the simulated application of computational fluid dynamics
 * ({@link CfdBenchmark}) whose systems are scalar and pentadiagonal: many messages of middle
 * length to neighbours.
 * Run it by {@code hayate run -n P -- java ...}, P a square number, or alone.
 */
public final class Sp extends CfdBenchmark {
    static final NasProgram.Kind KIND =
            new NasProgram.Kind("SP", RankCount.SQUARE, Sp::new);

    private static final RowWork TO_X = SpCharacteristics::toX;
    /** After the sweep along each axis. */
    private static final RowWork[] ON = {SpCharacteristics::fromXToY, SpCharacteristics::fromYToZ,
        SpCharacteristics::fromZ};

    private final CfdSweep[] sweeps = new CfdSweep[CfdCell.AXES];

    Sp(NasJob job) throws UsageException {
        super(job, SpProblem.of(job.options().problem()), SpElimination.FACTORS);
        for (int axis = 0; axis < sweeps.length; axis++) {
            sweeps[axis] = sweep(axis, new SpElimination(axis(axis), dt()));
        }
    }

    public static void main(String[] args) {
        System.exit(NasProgram.run(KIND, args));
    }

    @Override
    void solve() {
        forEachRow(TO_X);
        for (int axis = 0; axis < sweeps.length; axis++) {
            sweeps[axis].run();
            forEachRow(ON[axis]);
        }
    }
}
