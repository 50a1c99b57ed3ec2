// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Blacs;
import io.hayate.BlacsGrid;
import io.hayate.Element;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Scope;
import io.hayate.scalapack.BlockCyclic;
import io.hayate.scalapack.DistributedMatrix;
import io.hayate.scalapack.Norm;
import io.hayate.scalapack.NumericalException;
import io.hayate.scalapack.ScaLapack;
import io.hayate.scalapack.Transpose;
import io.hayate.scalapack.Triangle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The modes of a vibrating square plate with free edges (Chladni's figures): the eigenvalues and
 * eigenvectors of a dense symmetric matrix, by ScaLAPACK on all ranks of a job.
 * Run it by {@code hayate run -n P -- java ...}, or alone.
 */
public final class PlateModes {
    static final String USAGE = """
            Usage: PlateModes [options]
            Computes the modes of a vibrating square plate with free edges, by ScaLAPACK's pdsyevd
            on all ranks of a job.
              --order N             polynomials in each direction; the matrix has N^2 rows
                                    (default 20)
              --modes K             how many to show (default 18)
              --picture FILE.png    their figures
              --json                prints one JSON object instead of text
            Exit code: 0 right, 1 wrong or failed, 2 wrong usage.""";

    /** Poisson's ratio of steel. */
    private static final double POISSON = 0.3;
    /** Movements of the plate as a whole, which bend nothing. */
    private static final int RIGID = 3;
    /** The first frequency parameters for this ratio (Leissa 1973; here converged). */
    private static final double[] KNOWN = {13.468, 19.596, 24.270, 34.801, 34.801};
    private static final double KNOWN_TO = 2e-4;
    /** Degrees below which the known ones are not reached. */
    private static final int CONVERGED = 12;
    /** The limit of ScaLAPACK's own tests is 10 to 20, in the same units. */
    private static final double LIMIT = 10;
    private static final int BLOCK = 32;
    private static final int GOOD = 0;
    private static final int BAD = 1;
    private static final int WRONG_USAGE = 2;
    private static final double NANOS = 1e9;
    private static final Set<String> VALUED = Set.of("--order", "--modes", "--picture");
    private static final Set<String> FLAGS = Set.of("--json", "--help", "-h");

    private final Hayate job;
    private final BlacsGrid grid;
    private final ScaLapack lapack;
    private final PlateStiffness plate;
    private double seconds;
    private double residual;

    private PlateModes(Hayate job, BlacsGrid grid, int order) {
        this.job = job;
        this.grid = grid;
        lapack = ScaLapack.on(grid);
        plate = new PlateStiffness(order, POISSON);
    }

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Every rank ends with the same code; rank 0 prints and draws. */
    static int run(String... args) {
        try (Hayate job = Hayate.init()) {
            return solve(job, args);
        } catch (HayateException | NumericalException e) {
            System.err.println("PlateModes: " + e.getMessage());
            return BAD;
        }
    }

    private static int solve(Hayate job, String... args) {
        boolean speaks = job.rank() == 0;
        try {
            CommandLine line = new CommandLine(VALUED, FLAGS, args);
            if (line.has("--help") || line.has("-h")) {
                print(speaks, USAGE);
                return GOOD;
            }
            int order = line.integer("--order", 200, 20);
            int most = Math.max(1, order * order - RIGID);
            int modes = Math.min(most, line.integer("--modes", 1000, 18));
            Path picture = line.path("--picture");
            if (picture != null && !picture.toString().endsWith(".png")) {
                throw new UsageException(
                        "--picture " + picture + ": expected a name ending in .png");
            }
            if (order * order <= RIGID) {
                throw new UsageException("--order " + order + ": expected at least 2");
            }
            return solve(job, order, modes, picture, line.has("--json"));
        } catch (UsageException e) {
            complain(speaks, e.getMessage() + System.lineSeparator() + USAGE);
            return WRONG_USAGE;
        } catch (IOException e) {
            complain(speaks, "cannot write the picture: " + e);
            return BAD;
        }
    }

    private static int solve(Hayate job, int order, int count, Path picture, boolean json)
            throws UsageException, IOException {
        boolean speaks = job.rank() == 0;
        GridShape shape = GridShape.of(job.size(), 0);
        try (Blacs blacs = Blacs.open(job); BlacsGrid grid = shape.open(blacs)) {
            PlateModes solver = new PlateModes(job, grid, order);
            List<PlatePicture.Mode> modes = solver.modes(count);
            boolean good = solver.isRight(modes, order);
            print(speaks, json ? solver.json(modes, shape, good)
                    : solver.text(modes, shape, good));
            complain(speaks && !good, "wrong: residual " + solver.residual + " or frequencies");
            if (speaks && picture != null) {
                new PlatePicture(solver.plate, modes).write(picture, "Modes of a free square"
                        + " plate: sand rests where it does not move");
            }
            grid.barrier(Scope.ALL);
            return good ? GOOD : BAD;
        }
    }

    /** The modes of lowest frequency; only rank 0 has their shapes. */
    private List<PlatePicture.Mode> modes(int count) {
        BlockCyclic layout = BlockCyclic.of(grid, plate.size(), plate.size(), BLOCK);
        try (DistributedMatrix a = DistributedMatrix.allocate(job, layout, Element.DOUBLE);
                DistributedMatrix z = DistributedMatrix.allocate(job, layout, Element.DOUBLE)) {
            a.fill(plate::at);
            grid.barrier(Scope.ALL);
            long begun = System.nanoTime();
            double[] values = lapack.syevd(Triangle.LOWER, a, z);
            seconds = (System.nanoTime() - begun) / NANOS;
            residual = residual(a, z, values);
            double[] vectors = lapack.gather(z);
            List<PlatePicture.Mode> modes = new ArrayList<>();
            for (int i = RIGID; i < RIGID + count; i++) {
                int from = i * plate.size();
                modes.add(new PlatePicture.Mode(PlateStiffness.frequency(values[i]),
                        vectors == null ? null
                                : Arrays.copyOfRange(vectors, from, from + plate.size())));
            }
            return modes;
        }
    }

    /** |A Z - Z D| / (|A| eps n); a is overwritten. */
    private double residual(DistributedMatrix a, DistributedMatrix z, double... values) {
        BlockCyclic layout = a.layout();
        try (DistributedMatrix right = DistributedMatrix.allocate(job, layout, Element.DOUBLE)) {
            a.fill(plate::at);
            double norm = lapack.norm(Norm.ONE, a);
            for (int j = 0; j < layout.localColumns(); j++) {
                int column = layout.globalColumn(j);
                for (int i = 0; i < layout.localRows(); i++) {
                    int row = layout.globalRow(i);
                    right.set(row, column, z.get(row, column) * values[column]);
                }
            }
            lapack.gemm(1, Transpose.NONE, a, Transpose.NONE, z, -1, right);
            return lapack.norm(Norm.ONE, right) / (norm * Math.ulp(1.0) / 2 * plate.size());
        }
    }

    private boolean isRight(List<PlatePicture.Mode> modes, int order) {
        boolean good = residual < LIMIT;
        for (int i = 0; i < KNOWN.length && i < modes.size() && order >= CONVERGED; i++) {
            good &= Math.abs(modes.get(i).frequency() / KNOWN[i] - 1) < KNOWN_TO;
        }
        return good;
    }

    private static String frequencies(List<PlatePicture.Mode> modes, String format) {
        return String.join(", ", modes.stream()
                .map(mode -> String.format(Locale.ROOT, format, mode.frequency())).toList());
    }

    private String text(List<PlatePicture.Mode> modes, GridShape shape, boolean good) {
        return String.format(Locale.ROOT, "pdsyevd    free square plate, %d rows on %s ranks%n"
                + "time       %.4f s%nresidual   %.3g = |AZ-ZD| / (|A| eps n) (%s)%n"
                + "omega a^2 sqrt(rho h / D): %s", plate.size(), shape, seconds, residual,
                good ? "right" : "wrong", frequencies(modes, "%.3f"));
    }

    private String json(List<PlatePicture.Mode> modes, GridShape shape, boolean good) {
        return String.format(Locale.ROOT, "{\"rows\":%d,\"grid_rows\":%d,\"grid_columns\":%d,"
                + "\"seconds\":%s,\"residual\":%s,\"frequencies\":[%s],\"good\":%b}",
                plate.size(), shape.rows(), shape.columns(), Json.number(seconds),
                Json.number(residual), frequencies(modes, "%s"), good);
    }

    private static void print(boolean speaks, String text) {
        if (speaks) {
            System.out.println(text);
        }
    }

    private static void complain(boolean speaks, String text) {
        if (speaks) {
            System.err.println("PlateModes: " + text);
        }
    }
}
