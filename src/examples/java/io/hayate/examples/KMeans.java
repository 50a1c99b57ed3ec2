// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Reduction;
import io.hayate.Span;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;

/**
 * Divides points of a plane into clusters by Lloyd's algorithm. Two groups of ranks try different
 * initial centres at the same time, each on all points; the better result wins. Run it by
 * {@code hayate run -n P -- java ...}, or alone.
 */
public final class KMeans {
    static final String USAGE = """
            Usage: KMeans [--points N] [--clusters K] [--seed S]
            Divides N random points (default 100000) into K clusters (default 8) on two groups of
            ranks, and compares the result with that of one rank alone.
            Exit code: 0 right, 1 wrong, 2 wrong usage.""";

    private static final double LIMIT = 1e-9;
    private static final int WORDS = 3; // of a cluster: sums of x and y, number of points
    private static final int MOST_ROUNDS = 100;

    private final double[] points; // x, y of each
    private final int clusters;

    /** What a group found: the sum of the squared distances, and the centres. */
    record Result(double distances, double[] centres) { }

    /** How the sums of all ranks that share the points come together. */
    interface Sum {
        void sum(double[] values);
    }

    KMeans(int points, int clusters, long seed) {
        this.clusters = clusters;
        this.points = new double[2 * points];
        Random random = new Random(seed);
        double[] around = random.doubles(2L * clusters, 0, 100).toArray();
        for (int i = 0; i < points; i++) {
            int cluster = random.nextInt(clusters);
            this.points[2 * i] = around[2 * cluster] + 5 * random.nextGaussian();
            this.points[2 * i + 1] = around[2 * cluster + 1] + 5 * random.nextGaussian();
        }
    }

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Every rank ends with the same code, after rank 0 has printed. */
    static int run(String... args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            int code = run(job.rank() == 0, fmpl, args);
            fmpl.barrier();
            return code;
        } catch (HayateException e) {
            System.err.println("KMeans: " + e.getMessage());
            return 1;
        }
    }

    private static int run(boolean speaks, Fmpl fmpl, String... args) {
        try {
            CommandLine line = new CommandLine(
                    Set.of("--points", "--clusters", "--seed"), Set.of(), args);
            int points = line.integer("--points", 10_000_000, 100_000);
            int clusters = line.integer("--clusters", 1000, 8);
            long seed = line.integer("--seed", Integer.MAX_VALUE, 1);
            KMeans all = new KMeans(points, clusters, seed);
            Result best = all.solve(fmpl);
            double error = all.difference(best, Math.min(fmpl.world().size(), 2));
            if (speaks) {
                System.out.println(points + " points, " + clusters + " clusters: squared distances "
                        + best.distances + ", differs from one rank alone by " + error);
            }
            return error <= LIMIT ? 0 : 1;
        } catch (UsageException e) {
            if (speaks) {
                System.err.println("KMeans: " + e.getMessage() + System.lineSeparator() + USAGE);
            }
            return 2;
        }
    }

    /** The better result of two groups; with one rank there is one group. */
    Result solve(Fmpl fmpl) {
        Communicator world = fmpl.world();
        int mine = world.rank() % 2;
        try (Communicator group = world.split(mine, world.rank())) {
            Result found = cluster(mine, group.rank(), group.size(),
                    sums -> fmpl.allreduce(Span.of(sums), Reduction.DOUBLE_SUM, group));
            double[] best = {found.distances};
            fmpl.allreduce(Span.of(best), Reduction.DOUBLE_MIN);
            int[] winner = {best[0] == found.distances ? world.rank() : world.size()};
            fmpl.allreduce(Span.of(winner), Reduction.INT_MIN);
            fmpl.bcast(Span.of(found.centres), winner[0]);
            return new Result(best[0], found.centres);
        }
    }

    /** Lloyd's algorithm from some initial centres, for every `step`th point from `first` on. */
    private Result cluster(int start, int first, int step, Sum sum) {
        double[] centres = new Random(start).ints(clusters, 0, points.length / 2)
                .mapToObj(i -> new double[] {points[2 * i], points[2 * i + 1]})
                .flatMapToDouble(Arrays::stream).toArray();
        double[] sums = new double[WORDS * clusters + 1]; // the last one: squared distances
        double before = Double.POSITIVE_INFINITY;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            assign(centres, sums, first, step);
            sum.sum(sums);
            if (sums[WORDS * clusters] >= before) {
                break;
            }
            before = sums[WORDS * clusters];
            move(centres, sums);
        }
        return new Result(before, centres);
    }

    private void assign(double[] centres, double[] sums, int first, int step) {
        Arrays.fill(sums, 0);
        for (int i = first; i < points.length / 2; i += step) {
            int nearest = 0;
            double least = Double.POSITIVE_INFINITY;
            for (int c = 0; c < clusters; c++) {
                double dx = points[2 * i] - centres[2 * c];
                double dy = points[2 * i + 1] - centres[2 * c + 1];
                if (dx * dx + dy * dy < least) {
                    least = dx * dx + dy * dy;
                    nearest = c;
                }
            }
            sums[WORDS * nearest] += points[2 * i];
            sums[WORDS * nearest + 1] += points[2 * i + 1];
            sums[WORDS * nearest + 2]++;
            sums[WORDS * clusters] += least;
        }
    }

    /** A cluster without points keeps its centre. */
    private void move(double[] centres, double[] sums) {
        for (int c = 0; c < clusters; c++) {
            double count = sums[WORDS * c + 2];
            if (count > 0) {
                centres[2 * c] = sums[WORDS * c] / count;
                centres[2 * c + 1] = sums[WORDS * c + 1] / count;
            }
        }
    }

    /** How far the result is from that of one rank which tries all starts, relative to it. */
    double difference(Result found, int starts) {
        double best = Double.POSITIVE_INFINITY;
        for (int start = 0; start < starts; start++) {
            best = Math.min(best, cluster(start, 0, 1, sums -> { }).distances);
        }
        return Math.abs(found.distances - best) / Math.max(best, Double.MIN_NORMAL);
    }
}
