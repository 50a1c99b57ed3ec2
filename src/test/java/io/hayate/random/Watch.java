// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ends the program when something is wrong, or one of its threads does not come on: says what that
 * was, by which seed to have it again, and where all threads are.
 */
final class Watch {
    static final int WRONG = 99;
    /** Long for any call, as the machine does other things as well. */
    private static final long MOST_NS = 120_000_000_000L;
    private static final int LOOK_MS = 500;

    private final Runnable makeRoom;
    private final List<Mark> marks = new CopyOnWriteArrayList<>();
    private final AtomicLong calls = new AtomicLong();

    /** With what gives memory to say something in, and allocates none. */
    Watch(Runnable makeRoom) {
        this.makeRoom = makeRoom;
        Thread thread = new Thread(this::look, "watch");
        thread.setDaemon(true);
        thread.start();
    }

    /** What one thread is doing. Written by that thread. */
    final class Mark {
        private final String who;
        private volatile Thread thread; // getAllStackTraces() leaves virtual ones out
        private volatile String doing;
        private volatile long since;

        private Mark(String who) {
            this.who = who;
            enter("begins");
        }

        /** Something new. */
        void enter(String what) {
            thread = Thread.currentThread();
            doing = what;
            since = System.nanoTime();
            calls.incrementAndGet();
        }

        private String stack() {
            return List.of(thread.getStackTrace()).toString();
        }

        /** It is over. */
        void end() {
            marks.remove(this);
        }

        /** What must not be. */
        AssertionError wrong(Throwable why) {
            makeRoom.run();
            System.out.println("WRONG " + this + ": " + why);
            why.printStackTrace(System.out);
            Runtime.getRuntime().halt(WRONG);
            throw new AssertionError(why);
        }

        @Override
        public String toString() {
            return who + " (" + thread.getName() + ") " + doing;
        }
    }

    /** Of a thread; who: its seed and number. */
    Mark mark(String who) {
        Mark mark = new Mark(who);
        marks.add(mark);
        return mark;
    }

    /** How often something new was entered. */
    long calls() {
        return calls.get();
    }

    private void look() {
        Mark late = null;
        while (late == null) {
            try {
                Thread.sleep(LOOK_MS);
                late = late();
            } catch (InterruptedException | OutOfMemoryError again) {
                // look again
            }
        }
        makeRoom.run();
        StringBuilder all = new StringBuilder("HUNG " + late);
        marks.forEach(mark -> all.append("\n").append(mark).append(": ").append(mark.stack()));
        System.out.println(all + stacks());
        Runtime.getRuntime().halt(WRONG);
    }

    private Mark late() {
        for (int i = 0; i < marks.size(); i++) {
            Mark mark = marks.get(i);
            if (System.nanoTime() - mark.since > MOST_NS) {
                return mark;
            }
        }
        return null;
    }

    private static String stacks() {
        StringBuilder stacks = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
            stacks.append('\n').append(each.getKey());
            for (StackTraceElement frame : each.getValue()) {
                stacks.append("\n    ").append(frame);
            }
        }
        return stacks.toString();
    }
}
