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
 * Sorts random keys by sample sort: samples of all ranks divide the keys into one range for each
 * rank, and one exchange brings the keys there. How many keys come is only known from the data. Run
 * it by {@code hayate run -n P -- java ...}, or alone.
 */
public final class SampleSort {
    static final String USAGE = """
            Usage: SampleSort [--keys N] [--seed S]
            Sorts N random keys of each rank (default 1000000), and checks that they are in order
            and that none is lost.
            Exit code: 0 right, 1 wrong, 2 wrong usage.""";

    private SampleSort() { }

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Every rank ends with the same code, after rank 0 has printed. */
    static int run(String... args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            int code = run(job.rank() == 0, fmpl.world(), args);
            fmpl.barrier();
            return code;
        } catch (HayateException e) {
            System.err.println("SampleSort: " + e.getMessage());
            return 1;
        }
    }

    private static int run(boolean speaks, Communicator world, String... args) {
        try {
            CommandLine line = new CommandLine(Set.of("--keys", "--seed"), Set.of(), args);
            int count = line.integer("--keys", 100_000_000, 1_000_000);
            int seed = line.integer("--seed", Integer.MAX_VALUE, 1);
            long[] keys = keys(count, seed, world.rank());
            long[] sorted = sort(world, keys);
            boolean right = isSorted(world, keys, sorted);
            if (speaks) {
                System.out.println((long) count * world.size() + " keys, " + sorted.length
                        + " of them on rank 0" + (right ? "" : ": not in order, or not all"));
            }
            return right ? 0 : 1;
        } catch (UsageException e) {
            if (speaks) {
                System.err.println("SampleSort: " + e.getMessage() + System.lineSeparator()
                        + USAGE);
            }
            return 2;
        }
    }

    /** Keys around 0: ranges of equal width would give some ranks much more than others. */
    static long[] keys(int count, int seed, int rank) {
        Random random = new Random(31L * seed + rank);
        return random.doubles(count).mapToLong(x -> (long) (1e15 * (x - 0.5) * (x - 0.5) * x))
                .toArray();
    }

    /** Sorts the keys of all ranks: the smallest come to rank 0, and so on. */
    static long[] sort(Communicator world, long[] keys) {
        int ranks = world.size();
        long[] own = keys.clone();
        Arrays.sort(own);
        long[] samples = new long[ranks * ranks];
        world.allgather(Span.of(samples(own, ranks)), Span.of(samples));
        long[] sent = sizes(own, samples, ranks);
        long[] received = new long[ranks];
        world.alltoall(Span.of(sent), Span.of(received));
        long[] sorted = new long[(int) (Arrays.stream(received).sum() / Long.BYTES)];
        world.alltoallv(Span.of(own), sent, null, Span.of(sorted), received, null);
        Arrays.sort(sorted);
        return sorted;
    }

    private static long[] samples(long[] own, int count) {
        long[] samples = new long[count];
        for (int i = 0; i < count && own.length > 0; i++) {
            samples[i] = own[(int) ((long) own.length * i / count)];
        }
        return samples;
    }

    /** How many bytes of the sorted keys go to each rank. */
    private static long[] sizes(long[] own, long[] samples, int ranks) {
        Arrays.sort(samples);
        long[] sizes = new long[ranks];
        int from = 0;
        for (int rank = 0; rank < ranks; rank++) {
            int end = rank + 1 < ranks ? first(own, samples[(rank + 1) * ranks]) : own.length;
            sizes[rank] = (long) Long.BYTES * (end - from);
            from = end;
        }
        return sizes;
    }

    /** Where the first key is that is not below a limit. */
    private static int first(long[] own, long limit) {
        int low = 0;
        int high = own.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (own[middle] < limit) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** In order on each rank, and from rank to rank; with the number and the sum of the keys. */
    static boolean isSorted(Communicator world, long[] keys, long[] sorted) {
        long[] last = {sorted.length == 0 ? Long.MIN_VALUE : sorted[sorted.length - 1]};
        long[] before = {Long.MIN_VALUE}; // stays so on rank 0
        world.exscan(Span.of(last), Span.of(before), Reduction.LONG_MAX);
        long wrong = sorted.length > 0 && sorted[0] < before[0] ? 1 : 0;
        for (int i = 1; i < sorted.length; i++) {
            wrong += sorted[i] < sorted[i - 1] ? 1 : 0;
        }
        long[] sums = {wrong, (long) sorted.length - keys.length,
            Arrays.stream(sorted).sum() - Arrays.stream(keys).sum()};
        world.allreduce(Span.of(sums), Reduction.LONG_SUM);
        return Arrays.equals(sums, new long[sums.length]);
    }
}
