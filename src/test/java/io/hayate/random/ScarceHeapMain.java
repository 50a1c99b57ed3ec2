// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import io.hayate.Pvas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Makes each call of the facades again and again while nearly nothing of the Java heap is left, so
 * that each allocation in it fails at some time: the call succeeds or throws OutOfMemoryError, and
 * with memory again it can be made, and what it needs can be used and closed. Several are prepared
 * at once, as to fill the heap takes longer than all the rest.
 */
public final class ScarceHeapMain {
    private static final int TOGETHER = 24;
    /** What is left to a call: fewer than so many bits of grains. */
    private static final int MOST_BITS = 9;
    private static final int GRAIN = 16;

    private final Map<String, Scarce> cases = new TreeMap<>();
    private final SplittableRandom random;
    private final Ballast ballast = new Ballast();
    private final Watch watch = new Watch(ballast::drop);
    private final Watch.Mark mark;
    private final Map<String, int[]> ends = new TreeMap<>();
    private int calls;

    private ScarceHeapMain(long seed) {
        random = new SplittableRandom(seed);
        mark = watch.mark("seed " + seed);
    }

    /** One call that was prepared, what is left to it, and how it ended. */
    private static final class Attempt {
        final String name;
        final Place place;
        final Scarce.Trial trial;
        final int bytes;
        byte[] hole;
        boolean done;
        Throwable thrown;

        Attempt(String name, Scarce scarce, Place place, int bytes) throws Exception {
            this.name = name;
            this.place = place;
            this.bytes = bytes;
            trial = scarce.prepare(place);
            hole = new byte[bytes];
        }

        void call() {
            hole = null;
            try {
                trial.call().run();
                done = true;
            } catch (Throwable any) {
                thrown = any;
            }
        }
    }

    /** Seed, seconds, "ranks" or "tasks" for these cases, and one of them if it is to be alone. */
    public static void main(String[] arguments) throws Exception {
        ScarceHeapMain main = new ScarceHeapMain(Long.parseLong(arguments[0]));
        main.run(Double.parseDouble(arguments[1]), arguments[2].equals("tasks"),
                arguments.length > 3 ? arguments[3] : "");
    }

    private void run(double seconds, boolean ofTasks, String only) throws Exception {
        ScarcePvas pvas = ofTasks ? new ScarcePvas(Pvas.create(2, 0)) : null;
        if (ofTasks) {
            cases.putAll(pvas.all());
        } else {
            cases.putAll(ScarceMessages.all());
            cases.putAll(ScarceCollectives.all());
            cases.putAll(ScarceSpaces.all());
        }
        if (!only.isEmpty()) {
            cases.keySet().removeIf(name -> !name.equals(only));
        }
        List<String> names = new ArrayList<>(cases.keySet());
        for (String name : names) { // with memory: what is loaded and linked once is there then
            rehearse(name);
        }
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() < end) {
            List<String> some = new ArrayList<>();
            for (int i = 0; i < TOGETHER; i++) {
                some.add(names.get(random.nextInt(names.size())));
            }
            batch(some);
        }
        if (pvas != null) {
            pvas.close();
        }
        tell();
    }

    private void tell() {
        int done = 0;
        int out = 0;
        for (Map.Entry<String, int[]> each : ends.entrySet()) {
            int[] count = each.getValue();
            System.out.println(each.getKey() + ": done " + count[0] + ", out " + count[1]);
            done += count[0];
            out += count[1];
        }
        if (out == 0) {
            throw mark.wrong(new AssertionError("no call was short of memory"));
        }
        System.out.println("ENDS {out=" + out + ", value=" + done + "}");
        System.out.println("SURVIVED " + calls);
    }

    private void rehearse(String name) throws Exception {
        Attempt attempt = new Attempt(name, cases.get(name), new Place(2), 0);
        mark.enter("rehearsal of " + name);
        attempt.call();
        check(attempt);
    }

    private void batch(List<String> names) throws Exception {
        List<Attempt> attempts = new ArrayList<>();
        boolean inited = false;
        for (String name : names) {
            if (name.equals("Hayate.init") && inited) {
                continue;
            }
            inited |= name.equals("Hayate.init");
            int bytes = GRAIN * random.nextInt(1 << random.nextInt(1, MOST_BITS));
            mark.enter("prepare " + name + ", " + bytes + " bytes");
            attempts.add(new Attempt(name, cases.get(name), new Place(random.nextInt(1, 4)),
                    bytes));
        }
        mark.enter("calls of " + names);
        callAll(attempts.toArray(new Attempt[0]));
        for (Attempt attempt : attempts) {
            check(attempt);
        }
    }

    /** Without an iterator: there is no memory for one. */
    private void callAll(Attempt[] attempts) {
        ballast.fill();
        for (Attempt attempt : attempts) {
            attempt.call();
            if (attempt.done) {
                ballast.top();
            }
        }
        ballast.drop();
    }

    private void check(Attempt attempt) {
        calls++;
        mark.enter(attempt.name + " on " + attempt.place.ranks() + " ranks with " + attempt.bytes
                + " bytes left, which ended with " + attempt.thrown);
        int[] count = ends.computeIfAbsent(attempt.name, name -> new int[2]);
        count[attempt.done ? 0 : 1]++;
        try {
            if (!attempt.done && !isForLackOfMemory(attempt.thrown)) {
                throw attempt.thrown;
            }
            attempt.trial.check().run(attempt.done);
            attempt.place.close();
        } catch (Throwable wrong) {
            throw mark.wrong(wrong);
        }
    }

    /** It may be told as the cause of one of ours. */
    private static boolean isForLackOfMemory(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof OutOfMemoryError) {
                return true;
            }
        }
        return false;
    }
}
