// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Ompl;
import io.hayate.Span;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/** The control words in every part, by which ranks report progress and failures of a graph. */
final class Control {
    static final int BYTES = 1024;
    static final int ALIGN = 64;
    static final int TEXT_BYTES = 400;

    /** Counts the events that a rank must handle. */
    private static final int CHANGES = 0;
    /** Counts ranks whose tasks have completed. */
    private static final int OVER = 64;
    /** Claimed by the first rank that reports a failure. */
    private static final int CLAIM = 128;
    /** A flag: 1, rank, bytes of name, bytes of reason. */
    private static final int FAILURE = 192;
    private static final int NAME = 224;
    private static final int REASON = NAME + TEXT_BYTES;
    private static final int SECOND = 16;
    private static final int THIRD = 24;

    /** Stands in place of a reason. */
    static final String WORDLESS =
            "for an unknown reason: out of memory, or toString() of the exception failed";

    private static final int NOBODY = -1;
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final Hayate job;
    private final Ompl ompl;
    private final long at;
    /** The texts of a failure without a reason, allocated in advance while there is memory. */
    private final Span nameless = Span.of(cut("?"));
    private final Span wordless = Span.of(cut(WORDLESS));
    /**
     * The rank that this rank was notifying when memory ran out: no other rank notifies it. Guarded
     * by this.
     */
    private int halfTold = NOBODY;

    Control(Hayate job, Ompl ompl, long at) {
        this.job = job;
        this.ompl = ompl;
        this.at = at;
    }

    /** Must be called before the ranks synchronise. */
    void clear() {
        for (int word : new int[] {CHANGES, OVER, CLAIM, FAILURE}) {
            ompl.clear(at + word);
        }
    }

    // ---- changes

    long changes() {
        return ompl.load(at + CHANGES);
    }

    /** Waits up to 100 ms for an event, and returns whether there was one. */
    boolean awaitChange(long seen) {
        return ompl.waitUntil(at + CHANGES, Ompl.Comparison.NE, seen, MOMENT);
    }

    void ring(int rank) {
        ompl.fetchAdd(rank, at + CHANGES, 1);
    }

    // ---- the end

    void tellOver() {
        for (int rank = 0; rank < job.size(); rank++) {
            ompl.fetchAdd(rank, at + OVER, 1);
            ring(rank);
        }
    }

    boolean allAreOver() {
        return ompl.load(at + OVER) == job.size();
    }

    // ---- failures

    void tellFailure(String task, String reason) {
        tell(Span.of(cut(task)), Span.of(cut(reason)));
    }

    /** Allocates no memory. If the space or job is closed, there is no rank to notify. */
    void tellWordlessFailure() {
        try {
            tell(nameless, wordless);
        } catch (HayateException closed) {
            // every rank finds this itself
        }
    }

    /**
     * Reports to all other ranks; a rank that knows of an earlier failure does not learn of this
     * one.
     */
    private synchronized void tell(Span name, Span why) {
        for (int rank = 0; rank < job.size(); rank++) {
            if (rank == job.rank()) {
                continue;
            }
            if (rank == halfTold || ompl.compareSwap(rank, at + CLAIM, 0, 1) == 0) {
                halfTold = rank;
                ompl.put(name, rank, at + NAME);
                ompl.put(why, rank, at + REASON);
                ompl.putFlag(rank, at + FAILURE, 1, job.rank(), name.bytes(), why.bytes());
                ring(rank);
                halfTold = NOBODY;
            }
        }
    }

    private static byte[] cut(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= TEXT_BYTES ? bytes : Arrays.copyOf(bytes, TEXT_BYTES);
    }

    /** Returns the failure that another rank has reported, or null. */
    TaskException failure() {
        if (!ompl.poll(at + FAILURE)) {
            return null;
        }
        int rank = (int) ompl.memory().getLong(at + FAILURE + Long.BYTES);
        String name = text(NAME, ompl.memory().getLong(at + FAILURE + SECOND));
        String reason = text(REASON, ompl.memory().getLong(at + FAILURE + THIRD));
        return new TaskException("task " + name + " (rank " + rank + ") failed: " + reason, rank,
                name, null);
    }

    /** Reads a text of a peer, whose length is not trusted. */
    private String text(int from, long length) {
        byte[] bytes = new byte[(int) Math.max(0, Math.min(length, TEXT_BYTES))];
        try {
            ompl.get(Span.of(bytes), job.rank(), at + from);
        } catch (HayateException closed) {
            return "?";
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
