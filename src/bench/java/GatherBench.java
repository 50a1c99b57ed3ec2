/* SPDX-License-Identifier: Apache-2.0 */

import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A gather of 8 bytes in one call ({@link Communicator#gather}) beside a prepared one
 * ({@link PersistentColl#gather}), in turns. The data change with every call and are checked.
 * Prints the time of the root. Argument: MILLISECONDS.
 */
public final class GatherBench {
    private static final long WARM_UP_NS = 1_500_000_000L;
    /** A batch takes at least this long; with more ranks than cores, some time slices. */
    private static final long BATCH_NS = 200_000;
    private static final long BATCH_NS_SHARED = 4_000_000;
    private static final int MOST = 1 << 20;

    private final Communicator world;
    private final PersistentOperation persistent;
    private final HeapSpan in;
    private final HeapSpan out;
    private long value;

    private GatherBench(Hayate job, Communicator world) {
        this.world = world;
        in = job.allocate(Long.BYTES);
        out = job.allocate((long) Long.BYTES * job.size());
        persistent = PersistentColl.on(world).gather(in, out, 0);
    }

    public static void main(String[] args) {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            GatherBench bench = new GatherBench(job, fmpl.world());
            bench.measure(Long.parseLong(args[0]) * 1_000_000);
            bench.persistent.close();
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1); // the launcher ends the other ranks
        }
    }

    private void measure(long budgetNs) {
        long least = world.size() > Runtime.getRuntime().availableProcessors() ? BATCH_NS_SHARED
                : BATCH_NS;
        List<Double> once = new ArrayList<>();
        List<Double> prepared = new ArrayList<>();
        long begin = System.nanoTime();
        int[] calls = {1};
        for (int turn = 0; calls[0] > 0; turn++) {
            long first = batch(turn % 2 == 0, calls[0]);
            long second = batch(turn % 2 != 0, calls[0]);
            long spent = System.nanoTime() - begin;
            if (spent >= WARM_UP_NS) {
                (turn % 2 == 0 ? once : prepared).add(first / 1e3 / calls[0]);
                (turn % 2 == 0 ? prepared : once).add(second / 1e3 / calls[0]);
            } else if (Math.min(first, second) < least && calls[0] < MOST) {
                calls[0] *= 2;
            }
            if (spent >= WARM_UP_NS + budgetNs) {
                calls[0] = 0;
            }
            world.bcast(Span.of(calls), 0);
        }
        if (world.rank() == 0) {
            print("one-shot", once);
            print("persistent", prepared);
        }
    }

    private void print(String impl, List<Double> samples) {
        double[] us = samples.stream().mapToDouble(each -> each).sorted().toArray();
        System.out.printf(Locale.ROOT, "{\"impl\":\"%s\",\"bench\":\"gather\",\"bytes\":8,"
                + "\"ranks\":%d,\"min_us\":%.4f,\"median_us\":%.4f,\"p99_us\":%.4f,"
                + "\"samples\":%d}%n", impl, world.size(), us[0], us[us.length / 2],
                us[us.length * 99 / 100], us.length);
    }

    private long batch(boolean once, int calls) {
        world.barrier();
        long begin = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            in.putLong(0, ++value + world.rank());
            if (once) {
                world.gather(in, out, 0);
            } else {
                persistent.start();
                persistent.await();
            }
            if (world.rank() == 0) {
                check();
            }
        }
        return System.nanoTime() - begin;
    }

    private void check() {
        int last = world.size() - 1;
        if (out.getLong((long) Long.BYTES * last) != value + last) {
            throw new IllegalStateException("wrong data of rank " + last);
        }
    }
}
