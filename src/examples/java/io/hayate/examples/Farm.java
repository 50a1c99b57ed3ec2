// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.Codec;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Values;
import java.io.Serializable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Finds prime numbers by a farm: rank 0 gives an interval to whichever other rank is ready, because
 * large numbers take longer than small ones. Intervals and results are objects. Run it by
 * {@code hayate run -n P -- java ...}, or alone.
 */
public final class Farm {
    static final String USAGE = """
            Usage: Farm [--below N] [--interval W]
            Finds the primes below N (default 2000000) by trial division, in intervals of W numbers
            (default 10000), and compares them with the sieve of Eratosthenes.
            Exit code: 0 right, 1 wrong, 2 wrong usage.""";

    private static final int INTERVALS = 0; // the mai of what rank 0 sends
    private static final int FINDINGS = 1;

    /** The numbers from `first` to before `end`. */
    record Interval(int first, int end) implements Serializable {
        boolean isEmpty() {
            return first >= end;
        }
    }

    /** The primes of an interval. */
    record Found(Interval interval, int[] primes) implements Serializable { }

    private final int below;
    private final int width;
    private final Map<Integer, int[]> primes = new TreeMap<>(); // by the start of their interval
    private int given; // numbers below it are in intervals that somebody has

    private Farm(int below, int width) {
        this.below = below;
        this.width = width;
    }

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /** Every rank ends with the same code, after rank 0 has printed. */
    static int run(String... args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            int code = run(job.rank() == 0, fmpl, args);
            return Values.of(fmpl, INTERVALS, Codec.ints()).bcast(new int[] {code}, 0)[0];
        } catch (HayateException e) {
            System.err.println("Farm: " + e.getMessage());
            return 1;
        }
    }

    private static int run(boolean speaks, Fmpl fmpl, String... args) {
        try {
            CommandLine line = new CommandLine(Set.of("--below", "--interval"), Set.of(), args);
            int below = line.integer("--below", 100_000_000, 2_000_000);
            int width = line.integer("--interval", 100_000_000, 10_000);
            int[] found = primes(fmpl, below, width);
            boolean right = Arrays.equals(found, speaks ? sieve(below) : found);
            if (speaks) {
                System.out.println(found.length + " primes below " + below
                        + (right ? "" : ", which is wrong"));
            }
            return right ? 0 : 1;
        } catch (UsageException e) {
            if (speaks) {
                System.err.println("Farm: " + e.getMessage() + System.lineSeparator() + USAGE);
            }
            return 2;
        }
    }

    /** Returns all primes on rank 0, and none on its workers. */
    static int[] primes(Fmpl fmpl, int below, int width) {
        Values<Interval> intervals = Values.of(fmpl, INTERVALS, Codec.objects(Interval.class));
        Values<Found> findings = Values.of(fmpl, FINDINGS, Codec.objects(Found.class));
        Farm farm = new Farm(below, width);
        int workers = fmpl.world().size() - 1;
        if (workers == 0) {
            farm.keep(search(new Interval(0, below)));
        } else if (fmpl.world().rank() == 0) {
            farm.serve(workers, intervals, findings);
        } else {
            work(intervals, findings);
        }
        return farm.primes.values().stream().flatMapToInt(IntStream::of).toArray();
    }

    private void serve(int workers, Values<Interval> intervals, Values<Found> findings) {
        int working = workers;
        while (working > 0) {
            Values.Received<Found> ready = findings.recvAny();
            keep(ready.value());
            Interval next = next();
            intervals.send(next, ready.src());
            working -= next.isEmpty() ? 1 : 0;
        }
    }

    /** Whoever begins has found nothing in no interval; an empty interval is the end. */
    private static void work(Values<Interval> intervals, Values<Found> findings) {
        Interval interval = new Interval(0, 0);
        do {
            findings.send(search(interval), 0);
            interval = intervals.recv(0);
        } while (!interval.isEmpty());
    }

    private Interval next() {
        int first = given;
        given = Math.min(below, first + width);
        return new Interval(first, given);
    }

    private void keep(Found found) {
        if (!found.interval.isEmpty()) {
            primes.put(found.interval.first, found.primes);
        }
    }

    private static Found search(Interval interval) {
        return new Found(interval, IntStream.range(interval.first, interval.end)
                .filter(Farm::isPrime).toArray());
    }

    private static boolean isPrime(int number) {
        for (int divisor = 2; (long) divisor * divisor <= number; divisor++) {
            if (number % divisor == 0) {
                return false;
            }
        }
        return number > 1;
    }

    static int[] sieve(int below) {
        BitSet composite = new BitSet(below);
        for (int number = 2; (long) number * number < below; number++) {
            for (int multiple = number * number; multiple < below; multiple += number) {
                composite.set(multiple);
            }
        }
        return IntStream.range(2, below).filter(number -> !composite.get(number)).toArray();
    }
}
