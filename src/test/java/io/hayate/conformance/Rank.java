// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The environment of a scenario in its rank, with which it reports errors. */
public final class Rank {
    /** Index kept for {@link #tell} and {@link #listen}. */
    private static final int TOKENS = 63;

    public final Hayate job;
    public final Fmpl fmpl;
    public final int me;
    public final int size;
    private final Share share = Share.ofThisJob();

    public Rank(Hayate job, Fmpl fmpl) {
        this.job = job;
        this.fmpl = fmpl;
        this.me = job.rank();
        this.size = job.size();
    }

    /**
     * Whether this job runs the next case of a scenario that has very many; see {@link Share}. All
     * ranks have to ask alike, and jobs of any number of ranks as often.
     */
    public boolean takesNextCase() {
        return share.takesNext();
    }

    /** The next rank in the ring of all. */
    public int right() {
        return (me + 1) % size;
    }

    /** The previous rank in the ring of all. */
    public int left() {
        return (me + size - 1) % size;
    }

    /** Sends a token; what this rank did before is over when the other has heard it. */
    public void tell(int rank) {
        fmpl.send(Span.of(new byte[1]), rank, TOKENS);
    }

    /** Waits for a token. */
    public void listen(int rank) {
        fmpl.recv(Span.of(new byte[1]), rank, TOKENS);
    }

    /** A direct buffer in the order of the machine. */
    public static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    public static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    public static void equal(long expected, long actual, String what) {
        if (expected != actual) {
            throw new AssertionError(what + ": expected " + expected + ", got " + actual);
        }
    }

    /** An action that is expected to fail. */
    public interface Action {
        void run() throws Exception;
    }

    /** The exception of the action; anything else than one of exactly this class is a failure. */
    public static <E extends HayateException> E expect(Class<E> type, String what, Action action) {
        try {
            action.run();
        } catch (Exception thrown) {
            if (type == thrown.getClass()) {
                E expected = type.cast(thrown);
                check(expected.reason() != null && expected.reason().length() > 8,
                        what + ": the reason says nothing: " + expected.reason());
                return expected;
            }
            throw new AssertionError(what + ": expected " + type.getSimpleName(), thrown);
        }
        throw new AssertionError(what + ": expected " + type.getSimpleName() + ", nothing thrown");
    }
}
