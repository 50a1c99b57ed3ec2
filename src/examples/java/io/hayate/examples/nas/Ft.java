// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Locale;

/**
 * FT of the NAS Parallel Benchmarks: the heat equation on a periodic box by 3-D fast Fourier
 * transforms. A rank has planes in space and columns of coefficients; between the two all ranks
 * send each other all they have.
 * Run it by {@code hayate run -n P -- java ...}, or alone.
 */
public final class Ft implements Benchmark {
    static final NasProgram.Kind KIND =
            new NasProgram.Kind("FT", RankCount.POWER_OF_TWO, Ft::new);

    private static final int TAG = 0;
    /** Columns transformed at once: 256 numbers in each are 128 KiB. */
    private static final int COLUMNS = 32;

    private final NasJob job;
    private final FtProblem problem;
    private final FtTransform[] transforms;
    private final FtDecay decay;
    private final FtPlanes planes;
    private final FtSpectrum spectrum;
    private final FtRandomPlanes start;
    private final FtChecksum checksum;
    private final Doubles outgoing;
    private final Doubles incoming;
    private final AllToAll transposition; // null for one rank, which works in one memory
    private final Doubles parts; // of a checksum
    private final Sum sum;
    private final double[] checksums;

    Ft(NasJob job) throws UsageException {
        this.job = job;
        problem = FtProblem.of(job.options().problem());
        FtLayout layout = new FtLayout(problem, job.rank(), job.size());
        requireParts(layout);
        transforms = new FtTransform[] {new FtTransform(problem.x()),
            new FtTransform(problem.y()), new FtTransform(problem.z())};
        decay = new FtDecay(problem, transforms);
        planes = new FtPlanes(layout, transforms[0], transforms[1], COLUMNS);
        spectrum = new FtSpectrum(layout, decay, transforms[2], COLUMNS);
        start = new FtRandomPlanes(layout, job.isDamaged() ? 1 : 0);
        checksum = new FtChecksum(layout);
        outgoing = job.doubles(layout.length());
        incoming = job.size() == 1 ? outgoing : job.doubles(layout.length());
        transposition = job.size() == 1 ? null
                : new AllToAll(job, outgoing.all(), incoming.all(), TAG);
        parts = job.doubles(2);
        sum = new Sum(job, parts.all());
        checksums = new double[problem.checksums().length];
    }

    private void requireParts(FtLayout layout) throws UsageException {
        if (layout.planes() == 0 || layout.rows() == 0) {
            throw new UsageException(job.size() + " ranks: class " + job.options().problem()
                    + " has planes for at most " + Math.min(problem.y(), problem.z()));
        }
    }

    public static void main(String[] args) {
        System.exit(NasProgram.run(KIND, args));
    }

    @Override
    public Work work() {
        return new Work(
                String.format(Locale.ROOT, "%d x %d x %d", problem.x(), problem.y(), problem.z()),
                problem.iterations(), problem.operations(), "floating point");
    }

    /** All is part of what is measured; NPB touches the memory before, by a transform. */
    @Override
    public void prepare() {
        transform();
    }

    @Override
    public void run() {
        transform();
        for (int iteration = 0; iteration < problem.iterations(); iteration++) {
            spectrum.evolve(outgoing.values());
            transpose();
            checksum.begin();
            planes.inverse(incoming.values(), checksum);
            addUp(iteration);
        }
    }

    /** The coefficients of the field at the beginning. */
    private void transform() {
        for (FtTransform transform : transforms) {
            transform.begin();
        }
        decay.begin();
        planes.forward(start, outgoing.values());
        transpose();
        spectrum.take(incoming.values());
    }

    private void transpose() {
        if (transposition != null) {
            transposition.run();
        }
    }

    private void addUp(int iteration) {
        parts.values().put(0, checksum.real()).put(1, checksum.imaginary());
        sum.run();
        checksums[2 * iteration] = parts.values().get(0) / problem.points();
        checksums[2 * iteration + 1] = parts.values().get(1) / problem.points();
    }

    @Override
    public Verification verify() {
        double error = 0;
        for (int i = 0; i < checksums.length; i++) {
            double expected = problem.checksums()[i];
            error = Math.max(error, Math.abs((checksums[i] - expected) / expected));
        }
        return new Verification(error <= FtProblem.TOLERANCE, String.format(Locale.ROOT,
                "last checksum is %.12e, %.12e, largest relative error of all %.1e",
                checksums[checksums.length - 2], checksums[checksums.length - 1], error));
    }

    @Override
    public void close() {
        if (transposition != null) {
            transposition.close();
        }
        sum.close();
    }
}
