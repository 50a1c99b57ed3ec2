/* SPDX-License-Identifier: Apache-2.0 */

import io.hayate.CollOptions;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Span;
import java.util.Arrays;
import java.util.Locale;

/**
 * A persistent broadcast down a binomial tree, once by put and once by get, in turns, straight from
 * buffer to buffer and with counters, as in the paper on persistent collectives (figures 5 to 10).
 * The root writes one number of each cache line before each call, the others read it after. Prints
 * the root's time of a call. Arguments: BYTES,... MILLISECONDS.
 */
public final class PutGetBench {
    private static final int LINE = 64;
    private static final int TURNS = 15;
    private static final long WARM_UP_NS = 1_500_000_000L;
    private static final int MOST_CALLS = 1 << 16;
    private static final String HOW = "algorithm=binomial buffers=straight sync=counters transfer=";
    private static final String[] TRANSFERS = {"put", "get"};

    private final Hayate job;
    private final Fmpl fmpl;
    private final int[] order = new int[1];
    private int turn;

    private PutGetBench(Hayate job, Fmpl fmpl) {
        this.job = job;
        this.fmpl = fmpl;
    }

    public static void main(String[] args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            PutGetBench bench = new PutGetBench(job, fmpl);
            long warmUp = WARM_UP_NS;
            for (String bytes : args[0].split(",")) {
                bench.measure(Integer.parseInt(bytes), Long.parseLong(args[1]) * 1_000_000, warmUp);
                warmUp = 0;
            }
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1); // the launcher ends the other ranks
        }
    }

    private void measure(int bytes, long nanos, long warmUp) {
        try (HeapSpan data = job.allocate(bytes);
                PersistentOperation put = prepare(data, TRANSFERS[0]);
                PersistentOperation get = prepare(data, TRANSFERS[1])) {
            PersistentOperation[] both = {put, get};
            long least = nanos / (2 * TURNS);
            int[] calls = {calls(data, put, least, warmUp), calls(data, get, least, warmUp)};
            double[][] micros = new double[2][TURNS];
            for (int i = 0; i < TURNS; i++) {
                for (int k = 0; k < 2; k++) {
                    int which = (i + k) % 2; // A B B A
                    micros[which][i] = batch(data, both[which], calls[which]) / 1e3 / calls[which];
                }
            }
            for (int k = 0; k < 2 && job.rank() == 0; k++) {
                print(TRANSFERS[k], bytes, micros[k]);
            }
        }
    }

    private PersistentOperation prepare(HeapSpan data, String transfer) {
        return PersistentColl.on(fmpl.world()).bcast(data, 0, CollOptions.parse(HOW + transfer));
    }

    /** The calls of a batch that takes at least so long; the same on all ranks. */
    private int calls(HeapSpan data, PersistentOperation one, long least, long warmUp) {
        long begin = System.nanoTime();
        int calls = 1;
        while (true) {
            long took = batch(data, one, calls);
            boolean enough = took >= least || calls >= MOST_CALLS;
            boolean warm = System.nanoTime() - begin >= warmUp;
            order[0] = !enough ? 2 * calls : warm ? 0 : calls;
            fmpl.bcast(Span.of(order), 0);
            if (order[0] == 0) {
                return calls;
            }
            calls = order[0];
        }
    }

    private long batch(HeapSpan data, PersistentOperation one, int calls) {
        fmpl.barrier();
        long begin = System.nanoTime();
        double off = 0;
        for (int i = 0; i < calls; i++) {
            turn++;
            if (job.rank() == 0) {
                write(data);
            }
            one.start();
            one.await();
            if (job.rank() != 0) {
                off += read(data);
            }
        }
        long took = System.nanoTime() - begin;
        if (off != 0) {
            throw new IllegalStateException("wrong data after " + one.describe());
        }
        return took;
    }

    private void write(HeapSpan data) {
        for (long at = 0; at < data.bytes(); at += LINE) {
            data.putInt(at, turn);
        }
    }

    private double read(HeapSpan data) {
        double off = 0;
        for (long at = 0; at < data.bytes(); at += LINE) {
            off += Math.abs((double) data.getInt(at) - turn);
        }
        return off;
    }

    private void print(String transfer, int bytes, double[] micros) {
        Arrays.sort(micros);
        System.out.printf(Locale.ROOT, "{\"ranks\":%d,\"bytes\":%d,\"transfer\":\"%s\","
                + "\"min_us\":%.4f,\"median_us\":%.4f,\"max_us\":%.4f}%n", job.size(), bytes,
                transfer, micros[0], micros[TURNS / 2], micros[TURNS - 1]);
    }
}
