// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Ompl;
import io.hayate.Span;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/** The words of every part by which ranks tell each other how a graph goes. */
final class Control {
    static final int BYTES = 1024;
    static final int ALIGN = 64;
    static final int TEXT_BYTES = 400;

    /** Counts whatever a rank should look at. */
    private static final int NEWS = 0;
    /** Ranks whose tasks are over. */
    private static final int OVER = 64;
    /** Who may tell of a failure: the first. */
    private static final int CLAIM = 128;
    /** A flag: 1, rank, bytes of name, bytes of reason. */
    private static final int FAILURE = 192;
    private static final int NAME = 224;
    private static final int REASON = NAME + TEXT_BYTES;
    private static final int SECOND = 16;
    private static final int THIRD = 24;

    /** In place of a reason. */
    static final String WORDLESS =
            "for an unknown reason: no memory to tell it, or toString() of the exception failed";

    private static final int NOBODY = -1;
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final Hayate job;
    private final Ompl ompl;
    private final long at;
    /** Of a failure without words; made while there is memory. */
    private final Span nameless = Span.of(cut("?"));
    private final Span wordless = Span.of(cut(WORDLESS));
    /** Whom this rank was telling when memory ran out: nobody else tells it. Guarded by this. */
    private int halfTold = NOBODY;

    Control(Hayate job, Ompl ompl, long at) {
        this.job = job;
        this.ompl = ompl;
        this.at = at;
    }

    /** Before the ranks meet. */
    void clear() {
        for (int word : new int[] {NEWS, OVER, CLAIM, FAILURE}) {
            ompl.clear(at + word);
        }
    }

    // ---- news

    long news() {
        return ompl.load(at + NEWS);
    }

    /** Whether there is news within a moment. */
    boolean awaitNews(long seen) {
        return ompl.waitUntil(at + NEWS, Ompl.Comparison.NE, seen, MOMENT);
    }

    void ring(int rank) {
        ompl.fetchAdd(rank, at + NEWS, 1);
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

    /** Needs no memory. A space or job that is closed has nobody to tell. */
    void tellWordlessFailure() {
        try {
            tell(nameless, wordless);
        } catch (HayateException closed) {
            // all find that themselves
        }
    }

    /** To all others; who has heard of one before does not hear of this. */
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

    /** What another rank told, or null. */
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

    /** What a peer wrote is not trusted to be right. */
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
