// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import io.hayate.HayateException;
import io.hayate.tasks.TaskException;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Several threads draw calls from a table, round after round: each round has objects of its own,
 * and a seed; at its end everything is closed while calls go on. Each call has to return, or to
 * throw one of the library's exceptions, and what it moved has to be right.
 */
public final class RandomCallsMain {
    static final int THREADS = 6;
    /** Of these; the others go on when nothing comes any more. */
    private static final int WAITING = 2;
    private static final long ROUND_NS = 400_000_000L;

    private final Watch watch = new Watch(() -> { });
    private final Map<String, AtomicLong> ends = new ConcurrentHashMap<>();
    private final Constructor<? extends CallTable> table;
    private volatile boolean over;

    /** By its name, as the table of memory segments is not for every JDK. */
    private RandomCallsMain(String name) throws ReflectiveOperationException {
        table = Class.forName(RandomCallsMain.class.getPackageName() + "." + name)
                .asSubclass(CallTable.class).getDeclaredConstructor(long.class);
    }

    /** Seed of the first round, seconds, name of the table. */
    public static void main(String[] arguments) throws Exception {
        RandomCallsMain main = new RandomCallsMain(arguments[2]);
        main.run(Long.parseLong(arguments[0]), Double.parseDouble(arguments[1]));
        System.out.println("ENDS " + new TreeMap<>(main.ends));
        System.out.println("SURVIVED " + main.watch.calls());
    }

    private void run(long first, double seconds) throws Exception {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        for (long seed = first; seed == first || System.nanoTime() < end; seed++) {
            round(seed);
        }
    }

    private void round(long seed) throws Exception {
        Watch.Mark mark = watch.mark("seed " + seed);
        try {
            mark.enter("opens");
            CallTable open = table.newInstance(seed);
            over = false;
            List<Thread> threads = start(seed, open);
            Thread.sleep(ROUND_NS / 1_000_000);
            mark.enter("closes, and waits for its threads");
            over = true;
            for (Thread thread : threads) {
                while (thread.isAlive()) {
                    open.close(); // again, for what was opened behind the first
                    thread.join(50);
                }
            }
            mark.enter("closes again, and checks");
            open.close();
            open.check();
        } catch (Throwable wrong) {
            throw mark.wrong(wrong);
        }
        mark.end();
    }

    private List<Thread> start(long seed, CallTable open) {
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < THREADS; number++) {
            Chance chance = new Chance(seed, number);
            Watch.Mark mark = watch.mark("seed " + seed + ", thread " + number);
            List<CallTable.Call> calls = open.calls().stream()
                    .filter(call -> !call.waits() || chance.thread < WAITING).toList();
            Thread thread = new Thread(() -> work(open, calls, chance, mark));
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        return threads;
    }

    private void work(CallTable open, List<CallTable.Call> calls, Chance chance, Watch.Mark mark) {
        int behind = 10; // calls when all is closed
        for (long number = 0; !over || behind-- > 0; number++) {
            CallTable.Call call = calls.get(chance.below(calls.size()));
            mark.enter("call " + number + ", " + call.name());
            count(end(open, call, chance, mark));
        }
        mark.end();
    }

    private static String end(CallTable open, CallTable.Call call, Chance chance, Watch.Mark mark) {
        try {
            call.action().run(chance);
            return "value";
        } catch (HayateException | TaskException refused) {
            return refused.getClass().getSimpleName();
        } catch (Throwable thrown) {
            if (open.permits(thrown)) {
                return thrown.getClass().getSimpleName();
            }
            throw mark.wrong(thrown);
        }
    }

    private void count(String end) {
        ends.computeIfAbsent(end, key -> new AtomicLong()).incrementAndGet();
    }
}
