/* SPDX-License-Identifier: Apache-2.0 */

import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What grows with the number of ranks, of communicators, or of persistent operations. Rank 0 prints
 * lines {@code what<TAB>n<TAB>value}. Arguments: {@code ranks MS}, {@code communicators MS N,...},
 * or {@code operations MS N,...}.
 */
public final class GrowthBench {
    private static final int DOUBLE = Double.BYTES;
    private static final int BATCHES = 11;
    /** In a batch, at least: it begins while others are still in the barrier before it. */
    private static final int LEAST_CALLS = 10;
    private static final long WARM_UP_NS = 500_000_000L;
    /** Until then some of the many JVMs that share a CPU still interpret their methods. */
    private static final int WARM_UP_CALLS = 2000;

    private final Hayate job;
    private final Fmpl fmpl;
    private final HeapSpan number;
    private final long batchNanos;
    private double turn;

    private GrowthBench(Hayate job, Fmpl fmpl, long millis) {
        this.job = job;
        this.fmpl = fmpl;
        this.number = job.allocate(DOUBLE);
        this.batchNanos = millis * 1_000_000 / BATCHES;
    }

    public static void main(String[] args) {
        long begin = System.nanoTime();
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            fmpl.barrier();
            long joined = System.nanoTime();
            GrowthBench bench = new GrowthBench(job, fmpl, Long.parseLong(args[1]));
            if (args[0].equals("ranks")) {
                bench.print("init us", job.size(), (joined - begin) / 1e3);
                bench.ranks();
            } else {
                for (String n : args[2].split(",")) {
                    if (args[0].equals("communicators")) {
                        bench.communicators(Integer.parseInt(n));
                    } else {
                        bench.operations(Integer.parseInt(n));
                    }
                }
            }
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1); // the launcher ends the other ranks
        }
    }

    private void ranks() {
        print("barrier us", job.size(), micros(fmpl::barrier));
        print("allreduce of 8 B us", job.size(),
                micros(() -> sum(number, () -> fmpl.allreduce(number, Reduction.DOUBLE_SUM))));
        long before = job.heapFree();
        try (PersistentOperation sum = prepare(number)) {
            print("heap of a prepared allreduce B", job.size(), before - job.heapFree());
            print("prepared allreduce of 8 B us", job.size(),
                    micros(() -> sum(number, () -> run(sum))));
        }
    }

    /** One after the other, each is used. */
    private void communicators(int count) {
        List<Communicator> all = new ArrayList<>();
        long before = job.heapFree();
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            all.add(fmpl.world().dup());
        }
        print("dup us", count, (System.nanoTime() - begin) / 1e3 / count);
        double turn = micros(() -> {
            for (Communicator each : all) {
                sum(number, () -> each.allreduce(number, Reduction.DOUBLE_SUM));
            }
        });
        print("allreduce on each in turn us", count, turn / count);
        print("heap of a communicator B", count, (before - job.heapFree()) / (double) count);
        print("allreduce beside them us", count,
                micros(() -> sum(number, () -> fmpl.allreduce(number, Reduction.DOUBLE_SUM))));
        all.forEach(Communicator::close);
    }

    private void operations(int count) {
        PersistentOperation[] all = new PersistentOperation[count];
        HeapSpan[] numbers = new HeapSpan[count];
        Arrays.setAll(numbers, i -> job.allocate(DOUBLE));
        long before = job.heapFree();
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            all[i] = prepare(numbers[i]);
        }
        print("init of an operation us", count, (System.nanoTime() - begin) / 1e3 / count);
        print("heap of an operation B", count, (before - job.heapFree()) / (double) count);
        print("start and await of each in turn us", count, micros(() -> {
            for (int i = 0; i < count; i++) {
                PersistentOperation each = all[i];
                sum(numbers[i], () -> run(each));
            }
        }) / count);
        print("all started, then awaited us", count, micros(() -> {
            PersistentOperation.startAll(all);
            PersistentOperation.awaitAll(all);
        }) / count);
        print("barrier beside them us", count, micros(fmpl::barrier));
        Arrays.asList(all).forEach(PersistentOperation::close);
        Arrays.asList(numbers).forEach(HeapSpan::close);
    }

    private PersistentOperation prepare(HeapSpan of) {
        return PersistentColl.on(fmpl.world()).allreduce(of, Reduction.DOUBLE_SUM);
    }

    /** Of another number each time, the same on all ranks, so that the result is known. */
    private void sum(HeapSpan of, Runnable call) {
        turn++;
        of.putDouble(0, turn);
        call.run();
        if (of.getDouble(0) != turn * job.size()) {
            throw new IllegalStateException("wrong sum of " + turn);
        }
    }

    private static void run(PersistentOperation one) {
        one.start();
        one.await();
    }

    /** The median of some batches; the same number of calls on all ranks. */
    private double micros(Runnable call) {
        int calls = calls(call);
        double[] micros = new double[BATCHES];
        for (int i = 0; i < BATCHES; i++) {
            micros[i] = batch(call, calls) / 1e3 / calls;
        }
        Arrays.sort(micros);
        return micros[BATCHES / 2];
    }

    private int calls(Runnable call) {
        int[] next = new int[1];
        int called = 0;
        long begin = System.nanoTime();
        for (int calls = LEAST_CALLS; ; calls = next[0]) {
            long took = batch(call, calls);
            called += calls;
            boolean enough = took >= batchNanos && called >= WARM_UP_CALLS
                    && System.nanoTime() - begin >= WARM_UP_NS;
            next[0] = enough ? 0 : took >= batchNanos ? calls : 2 * calls;
            fmpl.bcast(Span.of(next), 0);
            if (next[0] == 0) {
                return calls;
            }
        }
    }

    private long batch(Runnable call, int calls) {
        fmpl.barrier();
        long begin = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            call.run();
        }
        return System.nanoTime() - begin;
    }

    private void print(String what, int n, double value) {
        if (job.rank() == 0) {
            System.out.printf(Locale.ROOT, "%s\t%d\t%.4f%n", what, n, value);
        }
    }
}
